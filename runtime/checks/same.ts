import { byCodeUnit, isJsonObject, type JsonObject } from '../json/json.ts'

/** Equal as JSON: own enumerable properties in any order, `1` and `1.0` alike. */
export function same(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => same(item, right[index]))
    )
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
}

/** A text that two values share exactly when they are {@link same}; so duplicates are found in one pass. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (isJsonObject(value)) return `{${sortedEntries(value).join()}}`
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'number' && value === 0 ? '0' : String(value)
}

function sortedEntries(value: JsonObject): string[] {
  return Object.keys(value)
    .sort(byCodeUnit)
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
}
