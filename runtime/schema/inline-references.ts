import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import { isAssertion } from '../keywords/keywords.ts'
import { circlesOf } from './circles.ts'
import { mayReferElsewhere, reachable } from './needed-definitions.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { forEachChildSchema, mapChildSchemas, referredDefinitions } from './schema-children.ts'

/** Most characters of a schema with its definitions in place, unless it is longer anyway. */
const mostCharacters = 50_000

/** Most definitions that stand in each other. */
const mostLevels = 50

/**
 * Puts definitions in the places that refer to them. Clients of MCP drop `$defs`, or refuse a schema with it, so that the model learns
 * nothing of such a parameter (PrefectHQ/fastmcp#2814, PrefectHQ/fastmcp#3655). What the schema accepts does not change. A definition
 * that refers to itself keeps its place, and all do where the schema would grow too long.
 *
 * @example
 * inlineReferences({ properties: { to: { $ref: '#/$defs/Place' } }, $defs: { Place: { type: 'string' } } })
 * // { properties: { to: { type: 'string' } } }
 */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  const { $defs, ...root } = schema
  if (!$defs || mayReferElsewhere(schema)) return schema
  const circular = circlesOf(
    new Map(Object.entries($defs).map(([name, definition]) => [name, [...referredDefinitions(definition)]])),
  )
  const most = Math.max(mostCharacters, JSON.stringify(schema).length)
  if (inlinedLength(root, $defs, (name) => circular.has(name)) > most) return schema
  const inline = (part: Schema): Schema => {
    if (!isJsonObject(part)) return part
    const { $ref, ...beside } = mapChildSchemas(part, inline)
    const name = definitionName($ref)
    const definition =
      name === undefined || circular.has(name) ? undefined : (own($defs, name) as Schema | undefined)
    if (definition !== undefined) return inPlace(inline(definition), beside)
    return $ref === undefined ? beside : { $ref, ...beside }
  }
  const inlined = inline(root) as JsonSchema
  const left = [...circular.keys()].map((name): [string, Schema] => [name, inline($defs[name] ?? true)])
  const needed = reachable(inlined, new Map(left))
  return needed.length === 0 ? inlined : { ...inlined, $defs: Object.fromEntries(needed) }
}

/** Returns how many characters a schema has with its definitions in place; Infinity if they stand too deep in each other. */
function inlinedLength(
  root: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
  isKept: (name: string) => boolean,
): number {
  const known = new Map<string, number>()
  const lengthOf = (part: Schema, level: number): number => {
    if (level > mostLevels) return Number.POSITIVE_INFINITY
    let length = JSON.stringify(part).length
    for (const name of references(part)) {
      const definition = own(definitions, name) as Schema | undefined
      if (definition === undefined || isKept(name)) continue
      const more = known.get(name) ?? lengthOf(definition, level + 1)
      known.set(name, more)
      length += more
    }
    return length
  }
  return lengthOf(root, 0)
}

/** Returns the name of a definition for each place that refers to one. */
function references(schema: Schema, found: string[] = []): readonly string[] {
  if (!isJsonObject(schema)) return found
  const name = definitionName(schema.$ref)
  if (name !== undefined) found.push(name)
  forEachChildSchema(schema, (child) => references(child, found))
  return found
}

/** A definition, with what stands beside the reference to it. */
function inPlace(definition: Schema, beside: JsonSchema): Schema {
  const keywords = Object.keys(beside)
  if (keywords.length === 0) return definition
  if (isJsonObject(definition) && !keywords.some(isAssertion)) return { ...definition, ...beside }
  return { ...beside, allOf: [...(beside.allOf ?? []), definition] }
}
