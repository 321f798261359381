/** A part of a value that JSON cannot spell as it is. */
export interface NotJson {
  /** The names that lead to it. */
  readonly path: readonly string[]
  readonly value: unknown
}

/**
 * Finds the first part of a value that would not survive being stored: a function, a symbol, a big integer, a number
 * without end, or an object that spells itself otherwise than by its members, such as a `Date` or a `Map`. Members that
 * are undefined are no part of it.
 *
 * @param value Neither cyclic nor endless: `copyJson` has accepted it.
 */
export function findNotJson(value: unknown, path: readonly string[] = []): NotJson | undefined {
  if (typeof value !== 'object' || value === null) return isScalar(value) ? undefined : { path, value }
  if (Array.isArray(value)) return firstOf(value.entries(), path)
  if (hasOtherSpelling(value)) return { path, value }
  return firstOf(Object.entries(value), path)
}

function firstOf(
  members: Iterable<readonly [string | number, unknown]>,
  path: readonly string[],
): NotJson | undefined {
  for (const [name, member] of members) {
    const isPlain = member === undefined || typeof member === 'string' || typeof member === 'boolean'
    const found = isPlain ? undefined : findNotJson(member, [...path, String(name)])
    if (found) return found
  }
  return undefined
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean'
}

/** Objects whose data is not in members of their own. */
function hasOtherSpelling(value: object): boolean {
  return (
    value instanceof Map ||
    value instanceof Set ||
    ArrayBuffer.isView(value) ||
    typeof (value as { toJSON?: unknown }).toJSON === 'function'
  )
}
