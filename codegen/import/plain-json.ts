import { isJsonObject } from '../../runtime/json/json.ts'

/** The deepest nesting of a source. Later phases are recursive, and real schemas are never this deep. */
const maximumDepth = 200

/**
 * Copies a value as plain JSON, so that later phases can trust every own property.
 *
 * @throws TypeError that names the part that is not JSON, or is nested too deeply.
 */
export function plainJson(value: unknown, depth = 0): unknown {
  if (depth > maximumDepth) throw new TypeError(`it is nested more than ${maximumDepth} levels deep`)
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1))
  refusePromise(value)
  if (isJsonObject(value)) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined)
    return Object.fromEntries(entries.map(([key, member]) => [key, plainJson(member, depth + 1)]))
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const what = typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`
  throw new TypeError(`it holds ${what}`)
}

/** Throws for what was not awaited, such as a list or an asynchronous conversion: it has no properties, and would read as empty. */
export function refusePromise(value: unknown): void {
  if (value instanceof Promise) throw new TypeError('it holds a promise, which has to be awaited first')
}
