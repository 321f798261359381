import { isJsonObject, type JsonObject, own as ownMember } from '../json/json.ts'
import { isListed } from './listed.ts'

const { getPrototypeOf, prototype: plain } = Object

/**
 * Returns an object with only its own properties; undefined for a value that is not an object. Parsed JSON is returned unchanged;
 * any other object (a class instance, an object with another prototype) is copied.
 */
// biome-ignore lint/suspicious/noExplicitAny: generated verdicts read properties off it
export function record(value: unknown): any {
  return isPlain(value) ? value : ownRecord(value)
}

/** Reads a property with the name of an inherited one, such as `constructor`. */
// biome-ignore lint/suspicious/noExplicitAny: generated verdicts compare it, as they do other properties
export const own: (object: object, key: string) => any = ownMember

/** Short enough that V8 inlines it into every check. */
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
 * True if an object has no enumerable properties other than the named ones. Verdicts count properties and call this only if there
 * are more than they have checked.
 */
export function isClosed(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => isListed(names, name))
}
