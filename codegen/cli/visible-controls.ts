/** Colours that `styleFor` gives are the only sequences that a terminal is to follow. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b(?!\[(?:[12]|22|3[1-39])m)|[\0-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/**
 * Spells out the characters by which a text moves the cursor, clears the screen, renames the window or turns its own order round.
 * Names, descriptions and errors come from servers and imported schemas as well.
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
