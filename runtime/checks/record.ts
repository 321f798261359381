import type { JsonObject } from '../json/json.ts'
import { isListed } from './listed.ts'

/**
 * The value as an object of its own properties alone; undefined for what is no object. What was read from JSON is that
 * already; anything else (an instance of a class, an object with a prototype of its own) is copied.
 */
// biome-ignore lint/suspicious/noExplicitAny: generated verdicts read properties off it
export function record(value: unknown): any {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return value
  const own: JsonObject = Object.create(null)
  return Object.assign(own, value)
}

/**
 * True when an object has no enumerable properties but the named ones.
 *
 * @param count How many of them are known to be there. When there are no more, their names need not be looked at.
 */
export function isClosed(value: object, count: number, names: readonly string[]): boolean {
  let left = count
  for (const _ in value) {
    left -= 1
    if (left < 0) return Object.keys(value).every((name) => isListed(names, name))
  }
  return true
}
