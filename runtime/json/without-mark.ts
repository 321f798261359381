/**
 * Replaces the byte order mark that PowerShell and some editors write, and that JSON parsers refuse, by a space, so that all
 * offsets in the text stay valid.
 */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ')
}
