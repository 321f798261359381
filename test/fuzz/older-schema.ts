import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../runtime/schema/schema-children.ts'

/** Where the definitions of a schema are, and how references to one of them can be spelled. */
const homes = ['$defs', 'definitions', 'components/schemas', 'a~1b', 'x%2525'] as const

/**
 * The schema in forms of older drafts and of OpenAPI 3.0, each of which means the same. Whether a part is rewritten is decided by the
 * numbers, from the start again at their end.
 */
export function olderSchema(schema: JsonSchema, given: readonly number[]): JsonSchema {
  let at = 0
  const next = (): number => given[at++ % given.length] ?? 0
  const isWanted = (): boolean => next() % 2 === 0
  const home = homes[next() % homes.length] ?? '$defs'
  const isKnown = home === '$defs' || home === 'definitions'

  function older(of: Schema): Schema {
    if (!isJsonObject(of)) return of
    const { $defs: _, ...rest } = of as JsonSchema
    const copy: JsonObject = mapChildSchemas(rest, older)
    if (typeof copy.$ref === 'string') copy.$ref = reference(copy.$ref)
    if (isWanted()) tuple(copy)
    if (isWanted()) bound(copy, 'exclusiveMinimum', 'minimum')
    if (isWanted()) bound(copy, 'exclusiveMaximum', 'maximum')
    if (isWanted()) dependencies(copy, isWanted)
    if (isWanted()) nullable(copy)
    if (isWanted() && typeof copy.type === 'string') copy.type = copy.type.toUpperCase()
    if (isWanted())
      copy[['maxLength', 'items', 'required', 'enum'].find((each) => !(each in copy)) ?? 'x'] = null
    return copy as Schema
  }

  function reference(plain: string): string {
    if (plain === '#') return next() % 2 === 0 ? '#' : 'https://x.example/tool'
    const name = plain.slice('#/$defs/'.length)
    const anchor = `#${anchorOf(name)}`
    const pointer = `#/${home}/${isWanted() ? name : percented(name)}`
    const ways = [pointer, `https://x.example/tool${pointer}`, `tool${pointer}`]
    // Anchors are found only where schemas are known to be.
    if (isKnown && isJsonObject(schema.$defs?.[name])) ways.push(anchor, `tool${anchor}`)
    return ways[next() % ways.length] ?? pointer
  }

  const parts = Object.entries(schema.$defs ?? {}).map(([name, part]): [string, Schema] => {
    const inner = older(part)
    return [name, isJsonObject(inner) ? { $anchor: anchorOf(name), ...inner } : inner]
  })
  const root = older(schema) as JsonObject
  return { $id: 'https://x.example/tool', ...root, ...placed(home, Object.fromEntries(parts)) }
}

/** Not a name of anything else, and one that every draft allows. */
function anchorOf(name: string): string {
  return `at-${name}`
}

function percented(name: string): string {
  return [...name].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
}

function placed(home: string, parts: JsonObject): JsonObject {
  const path = home.split('/').map((step) => decodeURIComponent(step.replaceAll('~1', '/')))
  return path.reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), parts)
}

function tuple(schema: JsonObject): void {
  const { prefixItems, items } = schema
  if (prefixItems === undefined) return
  delete schema.prefixItems
  schema.items = prefixItems
  if (items !== undefined) schema.additionalItems = items
}

function bound(schema: JsonObject, exclusive: string, inclusive: string): void {
  if (schema[exclusive] === undefined || schema[inclusive] !== undefined) return
  schema[inclusive] = schema[exclusive]
  schema[exclusive] = true
}

/** One of the two keywords, or half of it. */
function dependencies(schema: JsonObject, isWanted: () => boolean): void {
  const keyword = isJsonObject(schema.dependentRequired) ? 'dependentRequired' : 'dependentSchemas'
  const { [keyword]: all } = schema
  if (!isJsonObject(all)) return
  const moved = Object.entries(all).filter(isWanted)
  const left = Object.entries(all).filter(([name]) => moved.every(([other]) => other !== name))
  delete schema[keyword]
  if (left.length > 0) schema[keyword] = Object.fromEntries(left)
  schema.dependencies = Object.fromEntries(moved)
}

function nullable(schema: JsonObject): void {
  const { type } = schema
  if (!Array.isArray(type) || !type.includes('null') || type.length === 1) return
  const others = type.filter((each) => each !== 'null')
  schema.type = others.length === 1 ? others[0] : others
  schema.nullable = true
}
