import { isJsonObject } from '../json/json.ts'

/**
 * The one value that a schema allows, where it is said as such: by `const`, by an `enum` of one, or, as TypeBox spells a
 * list, by a closed tuple of them. A meta-field with one is the Tool's own word, which a Call need not repeat (SCOPE-2).
 */
export function fixedValue(schema: unknown): unknown {
  if (!isJsonObject(schema)) return undefined
  if (Object.hasOwn(schema, 'const')) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.length === 1 ? schema.enum[0] : undefined
  const items = schema.prefixItems ?? schema.items
  const closed = schema.items === false || schema.additionalItems === false
  if (schema.type !== 'array' || !Array.isArray(items) || !closed) return undefined
  if (schema.minItems !== items.length) return undefined
  const values = items.map(fixedValue)
  return values.includes(undefined) ? undefined : values
}
