import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import type { SchemaPlace } from '../keywords/keyword-table.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from './schema.ts'

/** Returns how a keyword's value holds subschemas; undefined for data. Handles draft-07 tuples, with `items` as an array. */
export function schemaPlace(keyword: string, value: unknown): SchemaPlace | undefined {
  return keyword === 'items' && Array.isArray(value) ? 'list' : keywordOf(keyword)?.place
}

/**
 * Calls `visit` with each direct subschema. `const`, `enum`, `default` and `examples` hold data, which may look like schemas and
 * is not visited.
 */
export function forEachChildSchema(
  schema: Schema,
  visit: (child: Schema, keyword: string, key: string | undefined) => void,
): void {
  if (!isJsonObject(schema)) return
  for (const keyword of Object.keys(schema)) {
    // Most keywords hold no subschema, and the lookup costs less than reading the value.
    const declared = keywordOf(keyword)?.place
    if (declared === undefined) continue
    const value = schema[keyword]
    const place = keyword === 'items' && Array.isArray(value) ? 'list' : declared
    if (place === 'single' && isSchema(value)) visit(value, keyword, undefined)
    else if (place === 'list' && Array.isArray(value)) {
      value.forEach((child, index) => {
        if (isSchema(child)) visit(child, keyword, String(index))
      })
    } else if (place === 'map' && isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const child = value[key]
        if (isSchema(child)) visit(child, keyword, key)
      }
    }
  }
}

/** Returns the JSON pointer of a direct subschema, relative to its parent. */
export function childPointer(keyword: string, key: string | undefined): string {
  return key === undefined ? `/${keyword}` : `/${keyword}/${pointerSegment(key)}`
}

/** Copies a schema with its direct subschemas replaced; everything else is shared with the original. */
export function mapChildSchemas(
  schema: JsonSchema,
  replace: (child: Schema, keyword: string, key: string | undefined) => Schema,
): JsonSchema {
  const copy: JsonSchema = { ...schema }
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    const place = schemaPlace(keyword, value)
    if (place === undefined) continue
    if (place === 'single' && isSchema(value)) copy[keyword] = replace(value, keyword, undefined)
    else if (place === 'list' && Array.isArray(value)) {
      copy[keyword] = value.map((child, index) =>
        isSchema(child) ? replace(child, keyword, String(index)) : child,
      )
    } else if (place === 'map' && isJsonObject(value)) {
      // `fromEntries` defines own properties, including one named `__proto__`.
      copy[keyword] = Object.fromEntries(
        Object.entries(value).map(([key, child]) => [
          key,
          isSchema(child) ? replace(child, keyword, key) : child,
        ]),
      )
    }
  }
  return copy
}

/** Collects the names of the definitions that a schema references as `#/$defs/Name`, at any depth. */
export function referredDefinitions(schema: Schema, found: Set<string> = new Set()): Set<string> {
  if (!isJsonObject(schema)) return found
  const name = definitionName(schema.$ref)
  if (name !== undefined) found.add(name)
  forEachChildSchema(schema, (child) => {
    referredDefinitions(child, found)
  })
  return found
}

/** True for an object or a boolean; arrays and other data are not schemas. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value)
}
