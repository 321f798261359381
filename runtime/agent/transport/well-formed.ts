import { isJsonObject } from '../../json/json.ts'

const half = /\p{Surrogate}/gu

/**
 * Replaces lone surrogates by `�`, as in a text that was cut in the middle of an emoji: Anthropic refuses a body with
 * one, and so every later body of the conversation.
 */
export function wellFormed<Value>(value: Value): Value
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(half, '\ufffd')
  if (Array.isArray(value)) return value.map((item) => wellFormed(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [wellFormed(name), wellFormed(member)]),
  )
}
