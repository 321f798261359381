/** The offset after what a sticky pattern matches at `at`; `at` itself when it does not match there. */
export function skip(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : at
}
