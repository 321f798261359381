import type { Tag } from '../checks/tag.ts'
import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'

/**
 * Finds the tag of a union: a property that at least two alternatives require and fix, not all to the same values. It decides which
 * alternatives a value is compared with. Among several such properties, the one that most alternatives fix.
 */
export function tagOfAlternatives(alternatives: readonly Schema[], references: References): Tag | undefined {
  const fixed = alternatives.map((alternative) => fixedProperties(target(alternative, references)))
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

/** Returns the required properties of an object schema that allow only certain strings, numbers, booleans or null. */
function fixedProperties(schema: JsonSchema | undefined): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, readonly unknown[]>()
  // A shape that allows null as well also takes a value without the tag.
  if (schema?.type !== 'object' || schema.nullable === true) return found
  const required = new Set(schema.required)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const values = required.has(name) ? fixedValues(property) : undefined
    if (values) found.set(name, values)
  }
  return found
}

function fixedValues(property: Schema): readonly unknown[] | undefined {
  if (!isJsonObject(property)) return undefined
  const values = Object.hasOwn(property, 'const') ? [property.const] : property.enum
  return values?.every((value) => value === null || typeof value !== 'object') ? values : undefined
}

/** Resolves the references of an alternative; a chain is followed as far as it is not circular. */
function target(schema: Schema, references: References): JsonSchema | undefined {
  const seen = new Set<Schema>()
  let current: Schema | undefined = schema
  while (isJsonObject(current) && current.$ref !== undefined && !seen.has(current)) {
    seen.add(current)
    // Keywords next to a reference apply as well, so the target alone would not give an exact verdict. Only its required
    // properties are read, and those hold in any case.
    current = references.schemaOf(references.nameOf(current.$ref))
  }
  return isJsonObject(current) ? current : undefined
}
