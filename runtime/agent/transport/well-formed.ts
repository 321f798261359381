import { isJsonObject } from '../../json/json.ts'

const half = /\p{Surrogate}/gu

/**
 * Puts `�` in place of each half of a character, as a text has where it was cut in the middle of an emoji: Anthropic refuses a
 * body with one, and every later one of the same conversation.
 */
export function wellFormed<Value>(value: Value): Value
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(half, '\ufffd')
  if (Array.isArray(value)) return value.map((item) => wellFormed(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wellFormed(member)]))
}
