import { isJsonObject, own } from '../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'

/** Keywords that hold further schemas for the same value. */
const inPlace = ['not', 'if', 'then', 'else', 'contains'] as const

/**
 * Every schema object that a schema holds against the same value, whether it must hold or not: what there is to learn
 * about where values could be refused.
 */
export function hintsOf(schemas: readonly Schema[], target: (reference: string) => Schema): JsonSchema[] {
  const seen = new Set<Schema>()
  const pending = [...schemas]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isJsonObject(next) || seen.has(next)) continue
    seen.add(next)
    const { $ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = next as JsonSchema
    if ($ref !== undefined) pending.push(target($ref))
    pending.push(...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas as Record<string, Schema>))
    for (const keyword of inPlace) {
      if (keyword !== 'contains' && next[keyword] !== undefined) pending.push(next[keyword] as Schema)
    }
  }
  return [...seen] as JsonSchema[]
}

/** What hints say about the property of a name. */
export function memberHints(hints: readonly JsonSchema[], name: string): Schema[] {
  return hints.flatMap(({ properties = {}, patternProperties = {}, additionalProperties }) => {
    const listed = own(properties, name) as Schema | undefined
    const patterns = Object.values(patternProperties)
    return listed === undefined
      ? [...patterns, ...(additionalProperties === undefined ? [] : [additionalProperties])]
      : [listed]
  })
}

/** What hints say about items, of a tuple or of the rest. */
export function itemHints(hints: readonly JsonSchema[], index: number): Schema[] {
  return hints.flatMap(({ prefixItems = [], items, contains }) => {
    const rest = items === undefined || Array.isArray(items) ? [] : [items]
    return [
      ...(prefixItems[index] === undefined ? rest : [prefixItems[index]]),
      ...(contains === undefined ? [] : [contains]),
    ]
  })
}

/** The numbers that hints give some keywords. */
export function numbersIn(hints: readonly JsonSchema[], ...keywords: readonly string[]): number[] {
  return hints.flatMap((hint) =>
    keywords.flatMap((keyword) => (typeof hint[keyword] === 'number' ? [hint[keyword]] : [])),
  )
}
