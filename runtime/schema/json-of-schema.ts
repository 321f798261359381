import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import { isFunction } from '../problems/field-rule.ts'
import { schemaPlace } from './schema-children.ts'

/** The lists and records of schemas that were come across. In one, `items` is a name like any other. */
const collections = new WeakSet<object>()

/**
 * The replacer of `JSON.stringify` for schemas. Refuses a schema of a validation library such as Zod: its JSON would keep the type
 * and lose every other constraint. The result of `z.toJSONSchema` is accepted: it has a hidden `~standard` but no functions.
 * Refuses what else stands in the place of a schema and JSON keeps nothing or a part of, such as `Type.String` without its
 * parentheses, a promise or a Map.
 */
export function jsonOfSchema(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // What it is, not what its `toJSON` made of it: schemas of ArkType are functions that have one.
  const given = this[key]
  const isMember = collections.has(this)
  const place = isMember ? undefined : schemaPlace(key, given)
  if (place && place !== 'single') collections.add(Object(given))
  // A Message of a Tool, or with a schema of its data; an Idea. Data has these names too.
  const isOfMessage = (key === 'schema' || key === 'tool') && (this.type || this.context)
  const isSchema = isMember || place === 'single' || key === '' || isOfMessage
  if (isSchema && isHalfRead(given, value, key === '')) refuse(key, given)
  const vendor = vendorOf(given) ?? 'typebox'
  if (vendor === 'callsheet' || vendor === 'typebox') return value
  const live = given as object
  const isPlain = Object.getPrototypeOf(live) === Object.prototype && !Object.keys(live).includes('~standard')
  if (!isPlain || Object.values(live).some(isFunction)) refuse(key, given)
  return value
}

/** Whether JSON would lose a part of what stands in the place of a schema. Objects of a class can be schemas. */
function isHalfRead(schema: unknown, json: unknown, isRoot: boolean): boolean {
  if (!isJsonObject(schema)) return isFunction(schema)
  if (schema.toJSON) return !isRoot && !isJsonObject(json)
  const words = Object.keys(schema)
  const names = Object.getOwnPropertyNames(schema)
  // What Type.Optional and the like leave of a schema of Zod 4, and of a function.
  if (names.some((name) => /^(_zod|length)$/.test(name) && !words.includes(name))) return true
  const hasCode = names.some((name) => isFunction(schema[name]) && !keywordOf(name) && !/^x-/.test(name))
  const parent = Object.getPrototypeOf(schema)
  return parent && Object.getPrototypeOf(parent) ? hasCode || !words.some(keywordOf) : hasCode && !isRoot
}

function vendorOf(schema: unknown): unknown {
  return Object(schema)['~standard']?.vendor
}

function refuse(name: string, schema: unknown): never {
  const vendor = vendorOf(schema)
  const what = vendor ? `a schema of ${vendor}` : `no schema (${Object(schema).constructor?.name})`
  throw new TypeError(`"${name || 'it'}" is ${what}; give its JSON Schema, such as z.toJSONSchema(schema)`)
}
