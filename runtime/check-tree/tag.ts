import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'

/**
 * The property that tells alternatives apart: each requires it and fixes it to another text. It decides which
 * alternative a wrong value is compared with; undefined when there is none.
 */
export function anyOfTag(alternatives: readonly Schema[], references: References): string | undefined {
  const objects = alternatives.map((alternative) => target(alternative, references))
  const [first] = objects
  if (!first || objects.length < 2) return undefined
  return Object.keys(first.properties ?? {}).find((name) => {
    const values = objects.map((object) => fixedValue(object, name))
    return !values.includes(undefined) && new Set(values).size === values.length
  })
}

function fixedValue(object: JsonSchema | undefined, name: string): unknown {
  if (!object?.required?.includes(name) || !Object.hasOwn(object.properties ?? {}, name)) return undefined
  const property = object.properties?.[name]
  return isJsonObject(property) && typeof property.const === 'string' ? property.const : undefined
}

/** What an alternative is, through references; a chain of them is followed as far as it is not circular. */
function target(schema: Schema, references: References): JsonSchema | undefined {
  const seen = new Set<Schema>()
  let current: Schema | undefined = schema
  while (typeof current === 'object' && current.$ref !== undefined && !seen.has(current)) {
    seen.add(current)
    current = references.schemaOf(references.nameOf(current.$ref))
  }
  return typeof current === 'object' ? current : undefined
}
