import { isJsonObject } from '../../json/json.ts'

const half = /\p{Surrogate}/u
const halves = /\p{Surrogate}/gu

/**
 * Replaces lone surrogates by `�`, as in a text that was cut in the middle of an emoji: Anthropic refuses a body with
 * one, and so every later body of the conversation. Returns the value itself if it has none, as nearly all have.
 */
export function wellFormed<Value>(value: Value): Value
export function wellFormed(value: unknown): unknown {
  return hasHalf(value) ? replaced(value) : value
}

function hasHalf(value: unknown): boolean {
  if (typeof value === 'string') return half.test(value)
  if (Array.isArray(value)) return value.some(hasHalf)
  return isJsonObject(value) && Object.keys(value).some((name) => half.test(name) || hasHalf(value[name]))
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(halves, '\ufffd')
  if (Array.isArray(value)) return value.map(replaced)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [replaced(name), replaced(member)]))
}
