const simple: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
}

/**
 * Reads a JavaScript string literal, with any quotes, without running anything.
 *
 * @returns undefined if there is no literal at that offset, or a template with expressions.
 */
export function readStringLiteral(
  source: string,
  from: number,
): { readonly value: string; readonly end: number } | undefined {
  const quote = source.charAt(from)
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined
  let value = ''
  for (let at = from + 1; at < source.length; ) {
    const char = source.charAt(at)
    if (char === quote) return { value, end: at + 1 }
    if ((char === '\n' && quote !== '`') || (quote === '`' && source.startsWith('${', at))) return undefined
    if (char !== '\\') {
      const next = nextSpecial(source, at, quote)
      value += source.slice(at, next)
      at = next
      continue
    }
    const escaped = /^\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(
      source.slice(at, at + 12),
    )
    if (escaped) {
      const code = Number.parseInt(escaped[1] ?? escaped[2] ?? escaped[3] ?? '', 16)
      if (code > 0x10ffff) return undefined
      value += escaped[2] === undefined ? String.fromCodePoint(code) : String.fromCharCode(code)
      at += escaped[0].length
    } else {
      const letter = source.charAt(at + 1)
      value += Object.hasOwn(simple, letter) ? simple[letter] : letter
      at += 2
    }
  }
  return undefined
}

function nextSpecial(source: string, from: number, quote: string): number {
  let at = from + (source.startsWith('$', from) ? 1 : 0)
  for (; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === quote || char === '\\' || char === '\n' || char === '$') break
  }
  // A line break inside a template is part of the text.
  return at === from ? from + 1 : at
}
