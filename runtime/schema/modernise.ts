import { isJsonObject } from '../json/json.ts'
import { plainRecord } from './record-schema.ts'
import type { JsonSchema, Schema } from './schema.ts'

/**
 * Converts keywords of draft-07 (which TypeBox writes) and OpenAPI to 2020-12. Nested schemas are converted already.
 */
export function modernise(schema: JsonSchema): JsonSchema {
  return withNull(withoutDependencies(withDefs(withPrefixItems(plainRecord(schema)))))
}

/** Converts a draft-07 tuple: `items` as a list, with the rest in `additionalItems`. */
function withPrefixItems(schema: JsonSchema): JsonSchema {
  const { additionalItems, ...rest } = schema
  const { items, ...others } = rest
  // Without a list, `additionalItems` has no meaning in draft-07 either.
  if (!Array.isArray(items)) return additionalItems === undefined ? schema : rest
  return {
    ...others,
    ...(items.length > 0 && { prefixItems: items }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  }
}

function withDefs(schema: JsonSchema): JsonSchema {
  const { definitions, ...rest } = schema
  return isJsonObject(definitions)
    ? { ...rest, $defs: { ...(definitions as Record<string, Schema>), ...rest.$defs } }
    : schema
}

/** Splits draft-07's `dependencies`, whose values are lists of names or schemas. */
function withoutDependencies(schema: JsonSchema): JsonSchema {
  const { dependencies, ...rest } = schema
  if (!isJsonObject(dependencies)) return schema
  const all = Object.entries(dependencies)
  const names = all.filter(([, value]) => Array.isArray(value))
  const schemas = all.filter(([, value]) => !Array.isArray(value))
  return {
    ...rest,
    ...(names.length > 0 && {
      dependentRequired: { ...(rest.dependentRequired as object), ...Object.fromEntries(names) },
    }),
    ...(schemas.length > 0 && {
      dependentSchemas: { ...(rest.dependentSchemas as object), ...Object.fromEntries(schemas) },
    }),
  } as JsonSchema
}

/**
 * OpenAPI's `nullable`, read as Ajv reads it: null is one more of the types, and an `enum` must still list it. Without a
 * type it stays, since it says nothing there, and is refused.
 */
export function withNull(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema
  if (nullable === false) return rest
  if (nullable !== true || rest.type === undefined) return schema
  const types = Array.isArray(rest.type) ? rest.type : [rest.type]
  return { ...rest, type: [...new Set([...types, 'null'])] }
}
