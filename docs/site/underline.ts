/** Set around what a compiler underlines in a code block. */
export const underlined = { start: '⟦', end: '⟧' } as const

interface HighlightOptions {
  decorations?: { start: number; end: number; properties: { class: string } }[]
}

/** Makes a wavy line of the marks, while code is highlighted. */
export const underlineMarked = {
  name: 'underline-marked',
  preprocess(code: string, options: HighlightOptions): string {
    const start = code.indexOf(underlined.start)
    const end = code.indexOf(underlined.end)
    if (start < 0 || end < start) return code
    options.decorations = [{ start, end: end - 1, properties: { class: 'underlined' } }]
    return code.replace(underlined.start, '').replace(underlined.end, '')
  },
}
