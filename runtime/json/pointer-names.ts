/**
 * Splits a JSON pointer into the names that it leads through.
 *
 * @example pointerNames('/a~1b/0') // ['a/b', '0']
 */
export function pointerNames(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeSegment)
}

/** Undoes what `pointerSegment` does to one segment. */
export function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}
