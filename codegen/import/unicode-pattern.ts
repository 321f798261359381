/**
 * A pattern as the flag `u` wants it, which refuses what older JavaScript reads: needless escapes, `-` beside a class in a
 * class, braces that stand for themselves. Undefined for what is no pattern of JavaScript, or cannot be said with certainty.
 *
 * @example unicodePattern('^[\\w-.]+\\@{.*}$') // '^[\\w\\-.]+@\\{.*\\}$'
 */
export function unicodePattern(source: string): string | undefined {
  if (isPattern(source, 'u')) return source
  // `[[:alpha:]]` is another language's, and something else to JavaScript.
  if (!isPattern(source, '') || /\[\[:\w+:\]/.test(source)) return undefined
  const mended = source.replace(piece, (found) =>
    found.startsWith('[') ? mendedClass(found) : mendedPiece(found),
  )
  return isPattern(mended, 'u') ? mended : undefined
}

/** A class, an escape, a quantifier, or a brace or bracket that stands for itself. */
const piece = /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\[\s\S]|\{\d+(?:,\d*)?\}|[\]{}]/g

function mendedPiece(piece: string): string {
  if (/^[\]{}]$/.test(piece)) return `\\${piece}`
  // A letter or digit that needs no escape means something to other languages: `\A`, `\Z`.
  return /^\\[^A-Za-z0-9^$\\.*+?()[\]{}|/]$/.test(piece) ? piece.slice(1) : piece
}

/** What a class lists: escapes, of which those of many characters begin and end no range, and single characters. */
const member = /\\[pPu]\{[^}]*\}|\\[\s\S]|[\s\S]/g

function mendedClass(source: string): string {
  const [, open = '', inner = ''] = /^(\[\^?)([\s\S]*)\]$/.exec(source) ?? []
  const members = inner.match(member) ?? []
  const isSet = (at: number): boolean => /^\\[dDsSwWpP]/.test(members[at] ?? '')
  const mended = members.map((each, at) => {
    if (each === '-' && (isSet(at - 1) || isSet(at + 1))) return '\\-'
    return /^\\[^A-Za-z0-9^$\\.*+?()[\]{}|/-]$/.test(each) ? each.slice(1) : each
  })
  return `${open}${mended.join('')}]`
}

/** True for what a regular expression can be made of. */
export function isPattern(source: string, flags: 'u' | ''): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    // The engine's reason is worded differently by each version; that it is none is all that is asked here.
    return false
  }
}
