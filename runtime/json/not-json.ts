import { maximumValueDepth } from './json-copy.ts'

/** A part of a value that JSON cannot spell as it is. */
export interface NotJson {
  /** The names that lead to it. */
  readonly path: readonly string[]
  readonly value: unknown
  /** It is an object like any other, but too far inside, as a value that contains itself is. */
  readonly isTooDeep: boolean
}

/**
 * Whether a value survives being stored: no function, symbol, big integer or number without end, no object that is more
 * than its members, such as a `Date`, a `Map` or a `Promise`, and no more than {@link maximumValueDepth} levels.
 * Members that are undefined do not count, but items of a list do: JSON would make null of them. Throws what a getter throws.
 */
export function isJson(value: unknown, depth: number = 0): boolean {
  if (typeof value !== 'object' || value === null) return isScalar(value)
  if (depth >= maximumValueDepth) return false
  if (Array.isArray(value)) {
    // By index: an iterator of each list would be a fortieth of what a plain Call allocates.
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

/** Finds the first part of a value for which {@link isJson} says no; undefined where there is none. */
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

/** By index, as a hole in a list is none of its keys. */
function findInList(list: readonly unknown[], path: readonly string[]): NotJson | undefined {
  for (let index = 0; index < list.length; index++) {
    const [item, place] = [list[index], [...path, String(index)]]
    if (item === undefined) return { path: place, value: item, isTooDeep: false }
    const found = findNotJson(item, place)
    if (found) return found
  }
  return undefined
}

function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    default:
      return value === null
  }
}

/**
 * Whether an object's data is not in members of its own: it spells itself by `toJSON`, or is of a class and has no members at
 * all, as a `Promise` that nobody awaited, a `Map` or a `Response`. Objects of another realm are plain as well.
 */
export function hasOtherSpelling(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value)
  if (prototype === null) return Object.hasOwn(value, 'toJSON') && typeof toJsonOf(value) === 'function'
  if (typeof toJsonOf(value) === 'function') return true
  if (prototype === Object.prototype || Object.getPrototypeOf(prototype) === null) return false
  return value instanceof Error || ArrayBuffer.isView(value) || Object.keys(value).length === 0
}

function toJsonOf(value: object): unknown {
  return (value as { toJSON?: unknown }).toJSON
}
