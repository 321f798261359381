/**
 * The text of a JSON file as parsers take it: the byte order mark that some editors write, and PowerShell, becomes a space, so that every
 * place in it holds.
 */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ')
}
