import { isFunction } from '../problems/field-rule.ts'
import { schemaPlace } from './schema-children.ts'

/**
 * The replacer of `JSON.stringify` for schemas. Refuses a schema of a validation library such as Zod: its JSON would keep the type
 * and lose every other constraint. The result of `z.toJSONSchema` is accepted: it has a hidden `~standard` but no functions.
 * Refuses a function in the place of a schema, such as `Type.String` without its parentheses, which JSON would drop.
 */
export function jsonOfSchema(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // What it is, not what its `toJSON` made of it: schemas of ArkType are functions that have one.
  const given = this[key]
  const place = schemaPlace(key, given)
  for (const [name, schema] of Object.entries(
    Object(place === 'single' ? { [key]: given } : place && given),
  )) {
    if (isFunction(schema) && !vendorOf(schema)) refuse(name, 'a function')
  }
  const vendor = vendorOf(given)
  if (!vendor || vendor === 'callsheet' || vendor === 'typebox') return value
  const live = given as object
  const isPlain = Object.getPrototypeOf(live) === Object.prototype && !Object.keys(live).includes('~standard')
  if (!isPlain || Object.values(live).some(isFunction)) refuse(key || 'it', `a schema of ${vendor}`)
  return value
}

function vendorOf(schema: unknown): unknown {
  return Object(schema)['~standard']?.vendor
}

function refuse(name: string, what: string): never {
  throw new TypeError(`"${name}" is ${what}; give its JSON Schema, such as z.toJSONSchema(schema)`)
}
