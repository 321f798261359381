/** Makes a pattern of the texts that have one of some names. */
export function namesAny(names: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$])${alternatives(names)}(?![\\w$])`)
}

/** Writes a pattern that some texts match, and no other. */
export function alternatives(texts: readonly string[]): string {
  return `(?:${texts.map((text) => text.replaceAll(/[^\w]/g, '\\$&')).join('|')})`
}
