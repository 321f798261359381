/** `@tool` as JSDoc has it: the first thing on a line of a doc comment. Elsewhere it is only a word. */
const tag = /(?:\/\*\*|\n[ \t]*\*)[ \t]*@tool(?![\w-])/

/** What a file imports that declares Tools as values. */
const declaresValues = /\bfrom\s*['"](?:typebox|@sinclair\/typebox|callsheet)['"/]/

/** True when a file may hold functions that are Tools (TOOL-5). A text search: nothing is parsed for it. */
export function hasToolTag(text: string): boolean {
  return tag.test(text)
}

/**
 * True when a file declares Tools by functions alone. Such a file holds implementations, which may want services and
 * secrets, and is read without being run.
 */
export function isFunctionsOnly(text: string): boolean {
  return hasToolTag(text) && !declaresValues.test(text)
}
