import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { maximumDepth } from '../json/json-copy.ts'
import { isIndex, type Write } from './write.ts'

/**
 * A value to which writes are applied, copy-on-write: only objects and arrays it created itself (`made`) are changed in place,
 * any other is copied, shallowly, before its first change. The data of Messages is never changed.
 */
export interface Folded {
  value: unknown
  readonly made: WeakSet<object>
}

/** Creates a state from a value, or empty. The value itself is never changed. */
export function folded(value?: unknown): Folded {
  return { value, made: new WeakSet() }
}

/** Applies one write. Time grows with the depth of its path, and for `push` and `concat` with the size of the addition. */
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
 * Finds or creates a container for the segment. An array accepts its indexes and the next one; for any other segment it becomes
 * an object with the same keys, so that a write to a part never drops its siblings.
 */
function containerFor(state: Folded, current: unknown, segment: string): JsonObject {
  if (Array.isArray(current) && !(isIndex(segment) && Number(segment) <= current.length)) {
    return make(state, { ...current })
  }
  return typeof current === 'object' && current !== null
    ? writable(state, current as JsonObject)
    : make(state, {})
}

/** A method that does not fit the current value acts like a first write (OUT-3a). */
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

/** Merges objects down to a number of levels. Below that, and if either is not an object, the new value replaces the old. */
function merged(state: Folded, current: unknown, value: unknown, levels: number): unknown {
  if (levels === 0 || !isJsonObject(current) || !isJsonObject(value)) return value
  const target = writable(state, current)
  for (const key of Object.keys(value)) {
    // Assigning to `__proto__` would change the prototype.
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
