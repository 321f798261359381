import { canonicalJson } from './canonical-json.ts'
import { isJsonObject } from './json.ts'

/** True if both values are the same JSON: property order does not matter, only own properties count. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      // `every` would skip the holes of a sparse array.
      left.findIndex((item, index) => !isSameJson(item, right[index])) < 0
    )
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  )
}

/** Finds the first item of a list that equals an earlier one, with both indexes; undefined if all differ. */
export function firstRepeated(
  items: readonly unknown[],
): { readonly index: number; readonly earlier: number } | undefined {
  const seen = new Map<string | number, number>()
  for (const [index, item] of items.entries()) {
    const key = typeof item === 'number' ? item : canonicalJson(item)
    const earlier = seen.get(key)
    if (earlier !== undefined) return { index, earlier }
    seen.set(key, index)
  }
  return undefined
}
