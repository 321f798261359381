import { isJsonObject, own } from '../../../runtime/json/json.ts'
import { isInPlace } from '../../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { forEachChildSchema } from '../../../runtime/schema/schema-children.ts'

/**
 * Collects every schema object that is applied to the same value, mandatory or not, as hints where values could be refused.
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

/** Returns the hints about the property of this name. */
export function memberHints(hints: readonly JsonSchema[], name: string): Schema[] {
  return hints.flatMap(({ properties = {}, patternProperties = {}, additionalProperties }) => {
    const listed = own(properties, name) as Schema | undefined
    const patterns = Object.values(patternProperties)
    return listed === undefined
      ? [...patterns, ...(additionalProperties === undefined ? [] : [additionalProperties])]
      : [listed]
  })
}

/** Returns the hints about the item at an index. */
export function itemHints(hints: readonly JsonSchema[], index: number): Schema[] {
  return hints.flatMap(({ prefixItems = [], items, contains }) => {
    const rest = items === undefined || Array.isArray(items) ? [] : [items]
    return [
      ...(prefixItems[index] === undefined ? rest : [prefixItems[index]]),
      ...(contains === undefined ? [] : [contains]),
    ]
  })
}

/** Returns the numbers of some keywords in hints. */
export function numbersIn(hints: readonly JsonSchema[], ...keywords: readonly string[]): number[] {
  return hints.flatMap((hint) =>
    keywords.flatMap((keyword) => (typeof hint[keyword] === 'number' ? [hint[keyword]] : [])),
  )
}
