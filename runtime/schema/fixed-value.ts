import { isJsonObject } from '../json/json.ts'

/**
 * Returns the only value that a schema allows, if it is declared by `const`, by an `enum` of one, or by a closed tuple of
 * these, which is how TypeBox writes a list. A Call need not repeat a meta-field that has one (SCOPE-2).
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

/**
 * Converts an `_activity` that is a plain string to a literal schema (ACT-3). In this file, since bundles that only
 * declare Tools contain it anyway.
 */
export function withActivitySchema<Properties extends object>(properties: Properties): Properties {
  const { _activity } = properties as { _activity?: unknown }
  return typeof _activity === 'string'
    ? { ...properties, _activity: { type: 'string', const: _activity } }
    : properties
}
