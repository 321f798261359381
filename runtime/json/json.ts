/** A plain JSON object: what Calls, Messages and schemas are made of. */
export interface JsonObject {
  [key: string]: unknown
}

/** True for an object that is neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads an own property; undefined for an inherited one. Names can come from a model, so `constructor` or `toString` of the
 * prototype must not count as data.
 */
export function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined
}

/** Sorts by UTF-16 code unit, which is the same on every machine, unlike `localeCompare`. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
