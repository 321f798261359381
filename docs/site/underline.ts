/** Marks around the text that the compiler's error points at. */
export const underlined = { start: '⟦', end: '⟧' } as const

interface HighlightOptions {
  decorations?: { start: number; end: number; properties: { class: string } }[]
}

/** A code transformer that removes the marks and underlines the text between them. */
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
