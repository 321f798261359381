/** Counts by object: a generated value contains the same object in many places. */
const counts = new WeakMap<object, number>()

/**
 * Counts the values that a JSON value consists of, itself included. Looks at an object once, however often it occurs.
 *
 * @example countValues({ a: [1, 2] }) // 4
 */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const known = counts.get(value)
  if (known !== undefined) return known
  let count = 1
  for (const part of Object.values(value)) count += countValues(part)
  counts.set(value, count)
  return count
}
