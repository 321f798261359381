const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/
/** A slash begins a regular expression only where a value may begin; elsewhere it divides. */
const regularExpression = /(?=\/)(?<=[=(,:[!&|?{};\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//
const maskable = new RegExp(`${comment.source}|${text.source}|${regularExpression.source}`, 'g')

/**
 * Blanks what is not code in a source text and keeps its length, so that positions still hold: a scan that follows
 * meets neither commented-out definitions nor prose.
 *
 * @param what `comments` alone, or the insides of strings and regular expressions as well.
 */
export function maskSource(source: string, what: 'comments' | 'comments and strings'): string {
  return source.replace(maskable, (match) => {
    if (match.startsWith('//') || match.startsWith('/*')) return blank(match)
    return what === 'comments' ? match : match[0] + blank(match.slice(1, -1)) + match.slice(-1)
  })
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}
