/** Returns the offset after a sticky pattern's match at `at`; `at` itself if it does not match there. */
export function skip(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : at
}
