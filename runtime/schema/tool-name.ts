/** The longest function name that every provider accepts. */
const longestProviderName = 64

const segment = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Names that are special on every JavaScript object; as a Tool's name they could reach a prototype. */
const reserved: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * True for a valid Tool name (TOOL-3): segments of letters, digits, `_` and `-`, separated by dots. The
 * segments `__proto__`, `constructor` and `prototype` are refused.
 *
 * @example isToolName('PhraseEmphasis.bold') // true
 */
export function isToolName(name: string): boolean {
  return name.split('.').every((part) => segment.test(part) && !reserved.includes(part))
}

/**
 * Converts a Tool's name to a form that every provider accepts (TOOL-3): each dot becomes `__`, and a name over 64 characters is
 * cut and ends in a hash of the whole. Two names can have the same form; generation refuses such a pair.
 *
 * @example providerSafeName('PhraseEmphasis.bold') // 'PhraseEmphasis__bold'
 */
export function providerSafeName(name: string): string {
  const safe = name.replaceAll('.', '__')
  if (safe.length <= longestProviderName) return safe
  const hash = shortHash(name)
  return `${safe.slice(0, longestProviderName - hash.length - 1)}_${hash}`
}

/** Returns the provider-safe form in lower case, which must be unique among the Tools of a Request. */
export function sentForm(name: string): string {
  return providerSafeName(name).toLowerCase()
}

/**
 * Hashes a text to six characters of `a-z0-9`: 32-bit FNV-1a over its UTF-16 code units. It makes generated names unique and is
 * not for security.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return ((hash >>> 0) % 36 ** 6).toString(36).padStart(6, '0')
}
