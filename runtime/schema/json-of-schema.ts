import { isJsonObject } from '../json/json.ts'
import { keywordOf } from '../keywords/keywords.ts'
import { isFunction } from '../problems/field-rule.ts'
import { schemaPlace } from './schema-children.ts'

/**
 * The replacer of `JSON.stringify` for schemas. Refuses a schema of a validation library such as Zod: its JSON would keep the type
 * and lose every other constraint. The result of `z.toJSONSchema` is accepted: it has a hidden `~standard` but no functions.
 * Refuses other code in the place of a schema, such as `Type.String` without its parentheses, a promise or a Map, of which JSON
 * keeps nothing or a part.
 */
export function jsonOfSchema(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // What it is, not what its `toJSON` made of it: schemas of ArkType are functions that have one.
  const given = this[key]
  const place = schemaPlace(key, given)
  // A Message of a Tool, or with a schema of its data; an Idea. Data has these names too.
  const isOfMessage = (key === 'schema' || key === 'tool') && (this.type || this.context)
  const isSingle = place === 'single' || key === '' || isOfMessage
  for (const [name, schema] of Object.entries(Object(isSingle ? { [key]: given } : place && given))) {
    if (isCode(schema, key === '')) refuse(name, schema)
  }
  const vendor = vendorOf(given) ?? 'typebox'
  if (vendor === 'callsheet' || vendor === 'typebox') return value
  const live = given as object
  const isPlain = Object.getPrototypeOf(live) === Object.prototype && !Object.keys(live).includes('~standard')
  if (!isPlain || Object.values(live).some(isFunction)) refuse(key, given)
  return value
}

/** Whether it is code in the place of a schema, of which JSON would lose a part. Objects of a class can be schemas. */
function isCode(schema: unknown, isRoot: boolean): boolean {
  if (!isJsonObject(schema) || schema.toJSON) return isFunction(schema)
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
  const what = vendor ? `a schema of ${vendor}` : `code (${Object(schema).constructor?.name})`
  throw new TypeError(`"${name || 'it'}" is ${what}; give its JSON Schema, such as z.toJSONSchema(schema)`)
}
