import { isJsonObject } from '../../runtime/json/json.ts'

/**
 * How many objects and lists a value has when everything it shares is written out, in time linear to what it really
 * holds. A value that repeats its parts at every level can reach any number, and then infinity.
 *
 * @param known Sizes found so far, of this value and of others.
 */
export function expandedSize(value: unknown, known: Map<object, number>): number {
  if (!Array.isArray(value) && !isJsonObject(value)) return 0
  const size = known.get(value)
  if (size !== undefined) return size
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  const total = parts.reduce<number>((sum, part) => sum + expandedSize(part, known), 1)
  known.set(value, total)
  return total
}
