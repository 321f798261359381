import { byCodeUnit, isJsonObject } from '../../runtime/json/json.ts'

/** JSON with the keys of every object sorted: one text for values that say the same. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => byCodeUnit(left, right)))
      : item,
  )
}
