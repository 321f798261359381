/** Equal up to line endings: a checkout with `core.autocrlf` is not stale, and nobody has changed its files. */
export function sameText(before: string, after: string): boolean {
  return before === after || before.replaceAll('\r\n', '\n') === Buffer.from(after).toString()
}
