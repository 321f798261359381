/** The most characters of a value in one line. */
const most = 160

/** Prints a value as JSON on one line. A long one is cut, with its full length. */
export function brief(value: unknown, longest: number = most): string {
  const text = shortened(value) ?? 'nothing'
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}

/** Cuts long strings and lists before serialising: an example may have two million characters. */
function shortened(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string' && part.length > 200)
      return `${part.slice(0, 40)}… (${part.length} characters)`
    if (Array.isArray(part) && part.length > 50) return [...part.slice(0, 3), `… (${part.length} items)`]
    return part
  })
}
