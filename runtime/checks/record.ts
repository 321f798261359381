import { isJsonObject, type JsonObject } from '../json/json.ts'
import { isListed } from './listed.ts'

const { getPrototypeOf, prototype: plain } = Object

/**
 * Gives an object of its own properties alone; undefined for anything but an object. What was read from JSON is that already;
 * anything else (an instance of a class, an object with a prototype of its own) is copied.
 */
// biome-ignore lint/suspicious/noExplicitAny: generated verdicts read properties off it
export function record(value: unknown): any {
  return isPlain(value) ? value : ownRecord(value)
}

/** Kept so short that V8 inlines it into every check. */
function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && getPrototypeOf(value) === plain
}

function ownRecord(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (getPrototypeOf(value) === null) return value
  const own: JsonObject = Object.create(null)
  return Object.assign(own, value)
}

/**
 * True when an object has no enumerable properties but the named ones. Verdicts count properties and ask only when
 * there are more of them than they have met.
 */
export function isClosed(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => isListed(names, name))
}
