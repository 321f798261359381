import { isJsonObject } from '../../runtime/json/json.ts'

/**
 * Counts the objects and lists of a value with all shared parts expanded. Takes time linear in the unexpanded value. A
 * value that repeats its parts at every level grows exponentially, up to Infinity.
 *
 * @param known Cache of the sizes found so far, also of other values.
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
