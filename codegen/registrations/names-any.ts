/** Makes a pattern of the texts that have one of some names. */
export function namesAny(names: readonly string[]): RegExp {
  const any = names.map((name) => name.replaceAll(/[^\w]/g, '\\$&')).join('|')
  return new RegExp(`(?<![\\w$])(?:${any})(?![\\w$])`)
}
