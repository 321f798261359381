/** What models put around their thoughts where no server takes them apart from the answer. */
const begin = /^\s*<think(?:ing)?>/
const ends = /<\/think(?:ing)?>/g

/** Where the answer begins after what the model thought, with its beginning or without; undefined where nothing ends thoughts. */
export function endOfThoughts(text: string): number | undefined {
  let end: number | undefined
  for (const { 0: mark, index } of text.matchAll(ends)) end = index + mark.length
  return end
}

/** True for thoughts that do not end: the text was cut off within them, and what it holds was not said. */
export function isOnlyThought(text: string): boolean {
  return begin.test(text) && endOfThoughts(text) === undefined
}
