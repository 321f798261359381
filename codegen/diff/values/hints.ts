import { isJsonObject, own } from '../../../runtime/json/json.ts'
import { isInPlace } from '../../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { forEachChildSchema } from '../../../runtime/schema/schema-children.ts'

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
    const schema: JsonSchema = next
    if (schema.$ref !== undefined) pending.push(target(schema.$ref))
    forEachChildSchema(schema, (child, keyword) => {
      if (isInPlace(keyword)) pending.push(child)
    })
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
