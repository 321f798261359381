/** Matches `@tool` as a JSDoc tag: at the start of a line of a doc comment. */
const tag = /(?:\/\*\*|\n[ \t]*\*)[ \t]*@tool(?![\w-])/

/** Matches the imports of a file that declares Tools as values. */
const declaresValues = /\bfrom\s*['"](?:typebox|@sinclair\/typebox|callsheet)['"/]/

/** Whether a file may contain functions that are Tools (TOOL-5). A text search, without parsing. */
export function hasToolTag(text: string): boolean {
  return tag.test(text)
}

/**
 * Whether a file declares Tools only by functions. Such a file contains implementations, which may need services and secrets,
 * and is read without being run.
 */
export function isFunctionsOnly(text: string): boolean {
  return hasToolTag(text) && !declaresValues.test(text)
}
