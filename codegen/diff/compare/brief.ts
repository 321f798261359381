/** Characters of a value that a line shows. */
const most = 160

/** A value as JSON on one line, cut where it is long, with what was cut. */
export function brief(value: unknown, longest: number = most): string {
  const text = shortened(value) ?? 'nothing'
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}

/** Long texts and lists are cut before they are written: an example may be two million characters long. */
function shortened(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string' && part.length > 200)
      return `${part.slice(0, 40)}… (${part.length} characters)`
    if (Array.isArray(part) && part.length > 50) return [...part.slice(0, 3), `… (${part.length} items)`]
    return part
  })
}
