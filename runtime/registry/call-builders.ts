import type { Call } from '../context/message.ts'
import type { JsonObject } from '../json/json.ts'

type Builder = (parameters?: JsonObject, meta?: JsonObject) => Call

/**
 * Creates the `calls` of generated wiring (TYPE-6): one function per Tool, nested for toolkits. If a Tool's name is
 * also the first segment of other names, its function has the others as properties.
 */
export function callBuilders(names: Iterable<string>): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null)
  for (const name of names) {
    const segments = name.split('.')
    const last = segments.pop() as string
    const parent = segments.reduce(childOf, root)
    const build: Builder = (parameters, meta) =>
      Object.assign({ _tool: name, ...meta, ...parameters }, { _tool: name })
    const earlier = ownChild(parent, last)
    if (earlier) for (const [member, value] of Object.entries(earlier)) define(build, member, value)
    define(parent, last, build)
  }
  return root
}

function childOf(parent: Record<string, unknown>, segment: string): Record<string, unknown> {
  if (!ownChild(parent, segment)) define(parent, segment, Object.create(null))
  return parent[segment] as Record<string, unknown>
}

/**
 * Returns a child that `define` added. The `name` and `length` of every function are not enumerable and so do not
 * count.
 */
function ownChild(parent: Record<string, unknown>, segment: string): object | undefined {
  return Object.prototype.propertyIsEnumerable.call(parent, segment) ? (parent[segment] as object) : undefined
}

/** Defines instead of assigning: a toolkit may have a member `name` or `length`, which are read-only on functions. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
