/** Normalises Windows line ends, which the compiler keeps in comments. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
