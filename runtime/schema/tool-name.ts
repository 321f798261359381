/** The longest function name that every provider takes. */
const longestProviderName = 64

const segment = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Names that mean something to every JavaScript object; as a Tool's name they could reach a prototype. */
const reserved: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * True for a name that a Tool may have (TOOL-3): segments of letters, digits, `_` and `-` with dots between. The
 * segments `__proto__`, `constructor` and `prototype` are refused.
 *
 * @example isToolName('PhraseEmphasis.bold') // true
 */
export function isToolName(name: string): boolean {
  return name.split('.').every((part) => segment.test(part) && !reserved.includes(part))
}

/**
 * The form of a Tool's name that every provider takes (TOOL-3): each dot becomes `__`, and a name over 64 characters is
 * cut and ends in a hash of the whole. Two names can share a form; generation refuses such a pair.
 *
 * @example providerSafeName('PhraseEmphasis.bold') // 'PhraseEmphasis__bold'
 */
export function providerSafeName(name: string): string {
  const safe = name.replaceAll('.', '__')
  if (safe.length <= longestProviderName) return safe
  const hash = shortHash(name)
  return `${safe.slice(0, longestProviderName - hash.length - 1)}_${hash}`
}

/** The provider-safe form without capitals, which no two Tools of a request may share. */
export function sentForm(name: string): string {
  return providerSafeName(name).toLowerCase()
}

/**
 * Six characters of `a-z0-9` that depend on the text alone: FNV-1a over its UTF-16 code units, 32 bits. It keeps
 * generated names apart and protects nothing.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return ((hash >>> 0) % 36 ** 6).toString(36).padStart(6, '0')
}
