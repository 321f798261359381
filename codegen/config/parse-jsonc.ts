/** Strings, comments and commas that close nothing, in the order in which a scan has to try them. */
const token = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/**
 * Parses JSON as `tsconfig.json` files write it: with comments, trailing commas and a byte order mark.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseJsonc(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').replace(token, (found) => (found.startsWith('"') ? found : ''))
  return JSON.parse(plain)
}
