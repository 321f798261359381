import { isJsonObject } from '../json/json.ts'

/**
 * The replacer of `JSON.stringify` for schemas. Refuses a schema of a validation library such as Zod: its JSON would keep the type
 * and lose every other constraint. The result of `z.toJSONSchema` is accepted: it has a hidden `~standard` but no functions.
 */
export function jsonOfSchema(key: string, value: unknown): unknown {
  if (!isJsonObject(value) && typeof value !== 'function') return value
  const { vendor } = (Reflect.get(value, '~standard') ?? {}) as { vendor?: unknown }
  if (typeof vendor !== 'string' || vendor === 'callsheet' || vendor === 'typebox') return value
  const isPlain =
    Object.getPrototypeOf(value) === Object.prototype && !Object.keys(value).includes('~standard')
  if (isPlain && !Object.values(value).some((member) => typeof member === 'function')) return value
  const what = key === '' ? 'it' : `"${key}"`
  throw new TypeError(
    `${what} is a schema of ${vendor}; give its JSON Schema, such as z.toJSONSchema(schema)`,
  )
}
