import { CallsheetError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { briefly, listSome } from '../problems/problem.ts'
import { withEmbeddedDocuments } from './embedded-documents.ts'
import { withActivitySchema } from './fixed-value.ts'
import { jsonOfSchema } from './json-of-schema.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import { plainRecord } from './record-schema.ts'
import type { Schema, ToolSchema } from './schema.ts'
import { isSchema, mapChildSchemas } from './schema-children.ts'

/**
 * Converts a Tool's schema to plain JSON Schema for registration (TOOL-1): without TypeBox's hidden marks, with draft-07 tuples
 * rewritten as 2020-12, `_module` renamed to `_delegate`, and `_tool` declared and required.
 *
 * @throws CallsheetError `unsupported_schema` if the schema is not an object schema, names another Tool, or is not JSON.
 */
export function plainToolSchema(name: string, schema: object): ToolSchema {
  const plain = asJson(name, schema)
  if (!isJsonObject(plain)) throw unsupported(name, 'its schema is not an object')
  if (plain.type !== undefined && plain.type !== 'object') {
    throw unsupported(name, `its schema has the type ${JSON.stringify(plain.type)}; a Tool is an object`)
  }
  requireParts(name, plain)
  const declared = isJsonObject(plain.properties) ? plain.properties : {}
  const { _tool, [olderDelegateName]: olderDelegate, ...properties } = withActivitySchema(declared)
  if (isJsonObject(_tool) && _tool.const !== undefined && _tool.const !== name) {
    throw unsupported(name, `its schema names the Tool ${JSON.stringify(_tool.const)}`)
  }
  const required: unknown[] = Array.isArray(plain.required) ? plain.required : []
  const normalised: unknown = {
    ...plain,
    type: 'object',
    properties: {
      _tool: isJsonObject(_tool)
        ? { type: 'string', ..._tool, const: name }
        : { type: 'string', const: name },
      ...(olderDelegate !== undefined && { _delegate: olderDelegate }),
      ...properties,
    },
    required: ['_tool', ...required.filter((key) => key !== '_tool').map(newerName)],
  }
  return normalised as ToolSchema
}

/** Refuses malformed keywords at the root, such as a `required` that is not an array. Compiling the check finds deeper ones. */
function requireParts(
  name: string,
  { properties = {}, required = [], allOf = [], anyOf = [] }: JsonObject,
): void {
  const wrong: string[] = []
  const require = (isRight: boolean, part: string, value: unknown, expected: string): void => {
    if (!isRight) wrong.push(`\`${part}\` is ${briefly(value)}; expected ${expected}`)
  }
  require(isJsonObject(properties), 'properties', properties, 'schemas by name')
  for (const [property, value] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const isText = property === '_activity' && typeof value === 'string'
    require(isText || isSchema(value), `properties.${property.slice(0, 100)}`, value, 'a schema')
  }
  const isNames = Array.isArray(required) && required.every((key) => typeof key === 'string')
  require(isNames, 'required', required, 'a list of names')
  for (const [keyword, parts] of Object.entries({ allOf, anyOf })) {
    require(Array.isArray(parts) && parts.every(isSchema), keyword, parts, 'a list of schemas')
  }
  if (wrong.length > 0) throw unsupported(name, `its ${listSome(wrong, 5, ', its ')}`)
}

function newerName(key: unknown): unknown {
  return key === olderDelegateName ? '_delegate' : key
}

function asJson(name: string, schema: object): unknown {
  try {
    const text = JSON.stringify(schema, jsonOfSchema) ?? 'null'
    const plain: unknown = JSON.parse(text)
    if (!isJsonObject(plain)) return plain
    return modern(text.includes('"$schema"') ? withEmbeddedDocuments(plain) : plain)
  } catch (cause) {
    throw unsupported(
      name,
      `its schema is not JSON: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    )
  }
}

/**
 * Rewrites the draft-07 tuples (`items` as an array) and the records that TypeBox produces as 2020-12, and drops TypeBox's own
 * `~` marks. Visits subschemas only: data under `const` or `default` may look the same and is not changed.
 */
export function modern(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const copy = plainRecord(mapChildSchemas(schema, modern))
  for (const keyword of Object.keys(copy)) if (keyword.startsWith('~')) delete copy[keyword]
  if (!Array.isArray(copy.items)) return copy
  const { items, additionalItems, ...rest } = copy
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

function unsupported(name: string, why: string, cause?: unknown): CallsheetError {
  return new CallsheetError('unsupported_schema', `Tool "${name}" cannot be registered: ${why}.`, { cause })
}
