/**
 * Asks for the names that may have been meant, as an error's text goes on: nothing where there are none.
 *
 * @example `Unknown tool "serch".${suggest(['search'])}` // 'Unknown tool "serch". Did you mean "search"?'
 */
export function suggest(names: readonly string[]): string {
  return names.length > 0 ? ` Did you mean ${names.map((name) => JSON.stringify(name)).join(' or ')}?` : ''
}
