/** One token of JSON: a string, a bracket, a separator, or a bare word or number. */
const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Where in a JSON text the value at a path begins; for a member of an object, where its key begins.
 *
 * @param text JSON that parses.
 * @returns The offset of the deepest part of the path that is there.
 */
export function jsonOffset(text: string, path: readonly string[]): number {
  const tokens = [...text.matchAll(token)]
  let at = 0
  let offset = tokens[0]?.index ?? 0
  for (const segment of path) {
    const member = findMember(tokens, at, segment)
    if (!member) return offset
    offset = tokens[member.key]?.index ?? offset
    at = member.value
  }
  return offset
}

/** The tokens of a member's key (an item's is its value) and value, for the object or list that starts at `at`. */
function findMember(
  tokens: readonly RegExpMatchArray[],
  at: number,
  segment: string,
): { key: number; value: number } | undefined {
  const isObject = tokens[at]?.[0] === '{'
  if (!isObject && tokens[at]?.[0] !== '[') return undefined
  let index = 0
  for (let next = at + 1; next < tokens.length && !/^[}\]]$/.test(tokens[next]?.[0] ?? ''); ) {
    const value = isObject ? next + 2 : next
    const name = isObject ? JSON.parse(tokens[next]?.[0] ?? '""') : String(index)
    if (name === segment) return { key: next, value }
    next = endOfValue(tokens, value)
    if (tokens[next]?.[0] === ',') next++
    index++
  }
  return undefined
}

function endOfValue(tokens: readonly RegExpMatchArray[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at++) {
    const text = tokens[at]?.[0] ?? ''
    if (text === '{' || text === '[') depth++
    if (text === '}' || text === ']') depth--
    if (depth === 0) return at + 1
  }
  return tokens.length
}
