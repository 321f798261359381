import { maximumValueDepth } from './json-copy.ts'

/** A part of a value that JSON cannot represent unchanged. */
export interface NotJson {
  /** The names that lead to it. */
  readonly path: readonly string[]
  readonly value: unknown
  /** The part is a plain object or array, but nested too deep, as in a cyclic value. */
  readonly isTooDeep: boolean
}

/**
 * True if a value survives a round trip through JSON: no function, symbol, bigint or infinite number, no object whose data is
 * not in its properties (`Date`, `Map`, `Promise`), and at most {@link maximumValueDepth} levels. Undefined properties are
 * allowed, undefined array items are not: JSON would turn them into null. Throws what a getter throws.
 */
export function isJson(value: unknown, depth: number = 0): boolean {
  if (typeof value !== 'object' || value === null) return isScalar(value)
  if (depth >= maximumValueDepth) return false
  if (Array.isArray(value)) {
    // By index: an iterator for each array would be a fortieth of what a plain Call allocates.
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (item === undefined || !isJson(item, depth + 1)) return false
    }
    return true
  }
  if (hasOtherSpelling(value)) return false
  for (const name in value) {
    if (!isJson((value as Record<string, unknown>)[name], depth + 1) && Object.hasOwn(value, name))
      return false
  }
  return true
}

/** Finds the first part of a value that {@link isJson} rejects; undefined if there is none. */
export function findNotJson(value: unknown, path: readonly string[] = []): NotJson | undefined {
  if (typeof value !== 'object' || value === null) {
    return isScalar(value) ? undefined : { path, value, isTooDeep: false }
  }
  if (path.length >= maximumValueDepth) return { path, value, isTooDeep: true }
  if (Array.isArray(value)) return findInList(value, path)
  if (hasOtherSpelling(value)) return { path, value, isTooDeep: false }
  for (const name of Object.keys(value)) {
    const found = findNotJson((value as Record<string, unknown>)[name], [...path, name])
    if (found) return found
  }
  return undefined
}

/** By index, since the holes of a sparse array are not among its keys. */
function findInList(list: readonly unknown[], path: readonly string[]): NotJson | undefined {
  for (let index = 0; index < list.length; index++) {
    const [item, place] = [list[index], [...path, String(index)]]
    if (item === undefined) return { path: place, value: item, isTooDeep: false }
    const found = findNotJson(item, place)
    if (found) return found
  }
  return undefined
}

/** True for what JSON has a word for, and undefined, which it leaves out. */
export function isScalar(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (value ?? null) === null ||
    Number.isFinite(value)
  )
}

/** The names of objects that keep their data apart from their properties, those of a `class Cache extends Map` among them. */
const holdsApart = /(?:String|Map|Set|Promise|Buffer)]$/

/**
 * True for an object whose data is not in its own properties: it has a `toJSON`, or it is a class instance without properties,
 * such as a `Promise` that was not awaited, a `Map` or a `Response`. Plain objects of another realm are recognised as plain.
 */
export function hasOtherSpelling(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value)
  if (prototype === null) return Object.hasOwn(value, 'toJSON') && typeof toJsonOf(value) === 'function'
  if (typeof toJsonOf(value) === 'function') return true
  if (prototype === Object.prototype || Object.getPrototypeOf(prototype) === null) return false
  return (
    value instanceof Error ||
    ArrayBuffer.isView(value) ||
    holdsApart.test(Object.prototype.toString.call(value)) ||
    Object.keys(value).length === 0
  )
}

function toJsonOf(value: object): unknown {
  return (value as { toJSON?: unknown }).toJSON
}
