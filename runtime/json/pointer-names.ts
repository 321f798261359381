/**
 * Splits a JSON pointer into its unescaped names.
 *
 * @example pointerNames('/a~1b/0') // ['a/b', '0']
 */
export function pointerNames(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeSegment)
}

/** Unescapes one segment of a JSON pointer: the inverse of `pointerSegment`. */
export function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}
