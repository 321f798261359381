import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import { described, words } from '../lower/words.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

/**
 * Takes alternatives, parts and `not` off the root of a Tool's parameters: clients of MCP pass schemas on to models, whose APIs then
 * refuse the whole request, with the tools of every other server. Their properties are listed with the others, and a sentence says
 * what must hold. What the Tool accepts is not changed.
 */
export function withPlainRoot(schema: JsonSchema): JsonSchema {
  const { allOf = [], anyOf = [], oneOf = [], not, ...root } = schema
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => resolved(part, schema))
  if (parts.length === 0 && not === undefined) return schema
  const sentences = Object.entries({ allOf, anyOf, oneOf, not }).flatMap(([keyword, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [words(keyword, value)],
  )
  const properties = new Map<string, Map<string, Schema>>()
  for (const part of parts) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const found = properties.get(name) ?? new Map<string, Schema>()
      properties.set(name, found.set(JSON.stringify(property), property))
    }
  }
  const added = Array.from(properties, ([name, found]): [string, Schema] => {
    const [first = true, ...others] = found.values()
    return [name, others.length > 0 ? { anyOf: [first, ...others] } : first]
  })
  const required = allOf.flatMap((part) => resolved(part, schema).required ?? [])
  return {
    ...root,
    description: described(schema.description, sentences) ?? '',
    properties: { ...Object.fromEntries(added), ...root.properties },
    required: [...new Set([...(root.required ?? []), ...required])],
  }
}

/** Returns a part of a schema, or the definition that it refers to. */
function resolved(part: Schema, { $defs = {} }: JsonSchema): JsonSchema {
  if (!isJsonObject(part)) return {}
  const name = definitionName(part.$ref)
  const target = name === undefined ? part : own($defs, name)
  return isJsonObject(target) ? target : {}
}
