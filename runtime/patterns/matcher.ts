/** Finds a pattern in texts, as a regular expression does. */
export interface Matcher {
  test(text: string): boolean
}
