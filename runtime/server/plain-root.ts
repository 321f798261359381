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
  const { parts, certain } = partsOf({ allOf, anyOf, oneOf }, schema.$defs ?? {})
  if (parts.size === 0 && not === undefined) return schema
  const sentences = Object.entries({ allOf, anyOf, oneOf, not }).flatMap(([keyword, value]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [words(keyword, value)],
  )
  const properties = new Map<string, Map<string, Schema>>()
  for (const part of parts) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      // Other parts may take the property, and many APIs no such schema.
      if (property === false) continue
      const found = properties.get(name) ?? new Map<string, Schema>()
      properties.set(name, found.set(JSON.stringify(property), property))
    }
  }
  const added = Array.from(properties, ([name, found]): [string, Schema] => {
    const [first = true, ...others] = found.values()
    return [name, others.length > 0 ? { anyOf: [first, ...others] } : first]
  })
  const required = [...certain].flatMap((part) => part.required ?? [])
  // What parts take of other names is not listed.
  if ([...parts].some(takesOthers)) delete root.unevaluatedProperties
  return {
    ...root,
    description: described(schema.description, sentences) ?? '',
    properties: { ...Object.fromEntries(added), ...root.properties },
    required: [...new Set([...(root.required ?? []), ...required])],
  }
}

/** True if a schema takes properties that it does not name. */
function takesOthers(schema: JsonSchema): boolean {
  return others.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false)
}

const others = [
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'dependentSchemas',
] as const

/** The schemas that say something of the same object as another one. */
interface Parts {
  readonly parts: Set<JsonSchema>
  /** Those of them that hold for every value. */
  readonly certain: Set<JsonSchema>
}

/** Collects the parts of a schema, and their parts, definitions included. */
function partsOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
  isCertain: boolean = true,
  found: Parts = { parts: new Set(), certain: new Set() },
): Parts {
  const { $ref, allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema
  const name = definitionName($ref)
  const add = (part: unknown, isSure: boolean): void => {
    const known = isSure ? found.certain : found.parts
    if (!isJsonObject(part) || known.has(part)) return
    found.parts.add(part)
    known.add(part)
    partsOf(part, definitions, isSure, found)
  }
  for (const part of [...allOf, name === undefined ? undefined : own(definitions, name)]) add(part, isCertain)
  for (const part of [...anyOf, ...oneOf, then, otherwise]) add(part, false)
  return found
}
