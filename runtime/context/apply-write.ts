import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { maximumDepth } from '../json/json-copy.ts'
import { isIndex, type Write } from './write.ts'

/**
 * A value that writes are applied to. It changes only the objects and lists that it made itself (`made`) and copies
 * any other once, shallowly, before the first change: what Messages hold is never touched.
 */
export interface Folded {
  value: unknown
  readonly made: WeakSet<object>
}

/** Starts with a value, or with nothing; the value itself stays as it is. */
export function folded(value?: unknown): Folded {
  return { value, made: new WeakSet() }
}

/** Applies one write. Costs the depth of its path, and for the collecting methods the size of what is added. */
export function applyWrite(state: Folded, write: Write): void {
  state.value = placed(state, state.value, write, 0)
}

function placed(state: Folded, current: unknown, write: Write, depth: number): unknown {
  const segment = write.segments[depth]
  if (segment === undefined) return combined(state, current, write)
  const container = containerFor(state, current, segment)
  container[segment] = placed(state, own(container, segment), write, depth + 1)
  return container
}

/**
 * Finds or makes what can hold the segment. A list takes the indexes that it has and the next one; with any other
 * segment it becomes an object of the same keys, so that a write to a part never drops what stands beside it.
 */
function containerFor(state: Folded, current: unknown, segment: string): JsonObject {
  if (Array.isArray(current) && !(isIndex(segment) && Number(segment) <= current.length)) {
    return make(state, { ...current })
  }
  return typeof current === 'object' && current !== null
    ? writable(state, current as JsonObject)
    : make(state, {})
}

/** Where the method does not fit what is there, it acts as a first write (OUT-3a). */
function combined(state: Folded, current: unknown, { value, method }: Write): unknown {
  switch (method) {
    case 'push':
      return appended(state, Array.isArray(current) ? current : [], [value])
    case 'concat':
      return Array.isArray(current) ? appended(state, current, Array.isArray(value) ? value : [value]) : value
    case 'assign':
      return merged(state, current, value, 1)
    case 'merge':
    case 'patch':
      return merged(state, current, value, maximumDepth)
    default:
      return value
  }
}

function appended(state: Folded, list: unknown[], items: readonly unknown[]): unknown[] {
  const target = writable(state, list)
  for (const item of items) target.push(item)
  return target
}

/** Merges objects down to a number of levels; below, and where either is not an object, the new value replaces the old. */
function merged(state: Folded, current: unknown, value: unknown, levels: number): unknown {
  if (levels === 0 || !isJsonObject(current) || !isJsonObject(value)) return value
  const target = writable(state, current)
  for (const key of Object.keys(value)) {
    // Assigning to it would change the prototype instead.
    if (key !== '__proto__') target[key] = merged(state, own(target, key), value[key], levels - 1)
  }
  return target
}

function writable<Container extends object>(state: Folded, container: Container): Container {
  if (state.made.has(container)) return container
  return make(state, (Array.isArray(container) ? container.slice() : { ...container }) as Container)
}

function make<Container extends object>(state: Folded, container: Container): Container {
  state.made.add(container)
  return container
}
