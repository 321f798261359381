/** Whether texts are equal except for line ends: a checkout with `core.autocrlf` is not stale. */
export function sameText(before: string, after: string): boolean {
  return before === after || before.replaceAll('\r\n', '\n') === Buffer.from(after).toString()
}
