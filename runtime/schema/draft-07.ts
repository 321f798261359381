import { CallsheetError } from '../errors.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { isSchema, mapChildSchemas } from './schema-children.ts'

/**
 * Converts a normalised 2020-12 schema to draft-07, which some SDKs require.
 *
 * @throws CallsheetError `unsupported_schema` for a keyword without an equivalent in draft-07: dropping it would accept what
 * the Tool refuses.
 */
export function toDraft07(schema: JsonSchema): JsonSchema {
  const unsaid = Object.keys(schema).find((keyword) => keywordOf(keyword)?.isLater)
  if (unsaid !== undefined) {
    throw new CallsheetError(
      'unsupported_schema',
      `The schema cannot be given as draft-07: it has no "${unsaid}". Ask for draft-2020-12, or declare the Tool without it.`,
    )
  }
  const { $ref, $defs, prefixItems, dependentRequired, dependentSchemas, ...rest } = mapChildSchemas(
    schema,
    (child) => (isJsonObject(child) ? toDraft07(child) : child),
  )
  const spelt: JsonSchema = rest
  if ($defs) spelt.definitions = $defs
  if (prefixItems) {
    if (isSchema(spelt.items)) spelt.additionalItems = spelt.items
    spelt.items = prefixItems
  }
  const dependencies = bothDependencies(dependentRequired, dependentSchemas)
  if (dependencies) spelt.dependencies = dependencies
  if ($ref === undefined) return spelt
  const name = definitionName($ref)
  const reference = { $ref: name === undefined ? $ref : `#/definitions/${pointerSegment(name)}` }
  if (Object.keys(spelt).length === 0) return reference
  // Draft-07 ignores all keywords next to a `$ref`.
  spelt.allOf = [...(spelt.allOf ?? []), reference]
  return spelt
}

/** Draft-07 has one keyword for both kinds of dependency; for a name that has both, the list becomes a schema. */
function bothDependencies(required: unknown, schemas: unknown): Record<string, unknown> | undefined {
  if (!isJsonObject(required)) return isJsonObject(schemas) ? schemas : undefined
  if (!isJsonObject(schemas)) return required
  const lists = Object.entries(required).map(([name, names]): [string, unknown] => {
    if (!Object.hasOwn(schemas, name)) return [name, names]
    return [name, { allOf: [schemas[name] as Schema, { required: names }] }]
  })
  return { ...schemas, ...Object.fromEntries(lists) }
}
