import type { Tag } from '../checks/tag.ts'
import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'

/**
 * Finds the tag of a union: a property that at least two alternatives require and fix, not all to the same values. It decides which
 * alternatives a value is compared with. Among several such properties, the one that most alternatives fix.
 *
 * @param around The schema that contains the union: its type and required properties hold for each alternative.
 */
export function tagOfAlternatives(
  alternatives: readonly Schema[],
  around: JsonSchema,
  references: References,
): Tag | undefined {
  const shared = { ...around, properties: {} }
  const fixed = alternatives.map((each) =>
    fixedProperties([shared, ...partsOf(each, references)], references),
  )
  const counts = new Map<string, number>()
  for (const properties of fixed) {
    for (const name of properties.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let best: Tag | undefined
  let most = 1
  for (const [name, count] of counts) {
    if (count <= most) continue
    const values = fixed.map((properties) => properties.get(name) ?? null)
    if (new Set(values.flatMap((each) => each ?? [])).size < 2) continue
    best = { name, values }
    most = count
  }
  return best
}

/** Returns the required properties of an object that allow only certain strings, numbers, booleans or null. */
function fixedProperties(
  parts: readonly JsonSchema[],
  references: References,
): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, readonly unknown[]>()
  // A shape that allows null as well also takes a value without the tag.
  if (!parts.some(({ type, nullable }) => type === 'object' && !nullable)) return found
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  for (const { properties = {} } of parts) {
    for (const [name, property] of Object.entries(properties)) {
      const values = required.has(name) ? fixedValues(property, references) : undefined
      if (values) found.set(name, values)
    }
  }
  return found
}

function fixedValues(property: Schema, references: References): readonly unknown[] | undefined {
  for (const part of partsOf(property, references)) {
    const values = Object.hasOwn(part, 'const') ? [part.const] : part.enum
    if (values?.every((value) => value === null || typeof value !== 'object')) return values
  }
  return undefined
}

/** Returns a schema with the references and parts of `allOf` that hold for the same value: the first ones, since chains can be long. */
function partsOf(
  schema: Schema | undefined,
  references: References,
  parts: Set<JsonSchema> = new Set(),
): Set<JsonSchema> {
  if (!isJsonObject(schema) || parts.size > 9 || parts.has(schema)) return parts
  parts.add(schema)
  const referred = schema.$ref === undefined ? undefined : references.schemaOf(references.nameOf(schema.$ref))
  for (const each of [referred, ...(schema.allOf ?? [])]) partsOf(each, references, parts)
  return parts
}
