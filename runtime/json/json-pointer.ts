/** Escapes one segment of a JSON pointer (RFC 6901). */
export function pointerSegment(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** Joins names to a JSON pointer; `pointer-names.ts` splits one. */
export function pointerOf(names: readonly string[]): string {
  return names.map((name) => `/${pointerSegment(name)}`).join('')
}
