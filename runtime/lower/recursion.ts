import { definitionName } from '../json/definition-reference.ts'
import { circlesOf } from '../schema/circles.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { referredDefinitions } from '../schema/schema-children.ts'

/** Which definitions are recursive, and through which others. */
export interface Recursion {
  /** True if `to` leads back to `from`, so that a reference from one to the other closes a cycle. */
  leadsBack(from: string, to: string): boolean
  /** A definition that is only a reference to itself, directly or through others; undefined if there is none. */
  readonly baseless: string | undefined
}

/** Analyses the references between definitions. */
export function recursionOf(definitions: Readonly<Record<string, Schema>>): Recursion {
  const circles = circlesOf(graphOf(definitions, (schema) => referredDefinitions(schema)))
  const inPlace = circlesOf(graphOf(definitions, inPlaceReferences))
  return {
    leadsBack(from, to) {
      const circle = circles.get(from)
      return circle !== undefined && circle === circles.get(to)
    },
    baseless: Object.keys(definitions).find((name) => inPlace.has(name)),
  }
}

function graphOf(
  definitions: Readonly<Record<string, Schema>>,
  references: (schema: Schema) => Iterable<string>,
): ReadonlyMap<string, Iterable<string>> {
  return new Map(Object.entries(definitions).map(([name, schema]) => [name, references(schema)]))
}

/** Returns the references that apply to the same value as the schema itself. */
function inPlaceReferences(schema: Schema): string[] {
  if (typeof schema === 'boolean') return []
  const name = definitionName((schema as JsonSchema).$ref)
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? [])
  return [...(name === undefined ? [] : [name]), ...parts.flatMap(inPlaceReferences)]
}
