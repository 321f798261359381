import { isJsonObject } from '../json/json.ts'

/**
 * Takes a schema into JSON, as the second argument of `JSON.stringify`. Refuses one of a validation library, such as Zod's: of its JSON the
 * type would count, and all else that it asks be lost. The JSON Schema that `z.toJSONSchema` gives has a hidden `~standard`, and no functions.
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
