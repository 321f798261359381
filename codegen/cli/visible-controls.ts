/** Matches control characters and escape sequences, except the colours of `styleFor`. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  /\u001b(?!\[(?:[12]|22|3[1-39])m)|[\0-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Escapes the characters with which a text could move the cursor, clear the screen, rename the window or reverse its reading
 * direction. Names, descriptions and errors may come from servers and imported schemas.
 *
 * @example visibleControls('paid\u001b[2K\rrefused') // 'paid\\u001b[2K\\u000drefused'
 */
export function visibleControls(text: string): string {
  return text.replace(controls, (found, at: number) =>
    found === '\r' && text[at + 1] === '\n'
      ? found
      : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
