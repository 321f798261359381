/**
 * Returns the ` Did you mean …?` that ends an error message; `''` without suggestions.
 *
 * @example `Unknown tool "serch".${suggest(['search'])}` // 'Unknown tool "serch". Did you mean "search"?'
 */
export function suggest(names: readonly string[]): string {
  return names.length > 0 ? ` Did you mean ${names.map((name) => JSON.stringify(name)).join(' or ')}?` : ''
}
