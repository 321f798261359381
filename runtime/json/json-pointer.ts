/** Escapes one segment of a JSON pointer (RFC 6901). */
export function pointerSegment(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

/** Undoes {@link pointerSegment}. */
export function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}

/**
 * Splits a JSON pointer into the names that it leads through.
 *
 * @example pointerNames('/a~1b/0') // ['a/b', '0']
 */
export function pointerNames(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeSegment)
}

/** Joins names to a JSON pointer. */
export function pointerOf(names: readonly (string | number)[]): string {
  return names.map((name) => `/${pointerSegment(String(name))}`).join('')
}
