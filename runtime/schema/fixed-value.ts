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

/** Spells `_activity` as a schema where it is a plain text, which means a literal of it (ACT-3). In this file, since bundles that only declare Tools carry it anyway. */
export function withActivitySchema<Properties extends object>(properties: Properties): Properties {
  const { _activity } = properties as { _activity?: unknown }
  return typeof _activity === 'string'
    ? { ...properties, _activity: { type: 'string', const: _activity } }
    : properties
}
