/** Tests texts for a pattern; a `RegExp` is one. */
export interface Matcher {
  test(text: string): boolean
}
