import { definitionName } from '../json/definition-reference.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { referredDefinitions } from '../schema/schema-children.ts'

/** Which definitions lead back to themselves, and through which others. */
export interface Recursion {
  /** True when `to` leads back to `from`: then a reference from one to the other closes a circle. */
  leadsBack(from: string, to: string): boolean
  /** A definition that is nothing but a reference back to itself, through however many others. */
  readonly baseless: string | undefined
}

/** Looks at the references between definitions. */
export function recursionOf(definitions: Readonly<Record<string, Schema>>): Recursion {
  const all = closure(definitions, (schema) => [...referredDefinitions(schema)])
  const inPlace = closure(definitions, inPlaceReferences)
  return {
    leadsBack: (from, to) => (from === to || all(from).has(to)) && all(to).has(from),
    baseless: Object.keys(definitions).find((name) => inPlace(name).has(name)),
  }
}

/** Everything that a definition reaches, worked out when it is first asked for. */
function closure(
  definitions: Readonly<Record<string, Schema>>,
  references: (schema: Schema) => string[],
): (name: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (name) => {
    const before = known.get(name)
    if (before) return before
    const reached = new Set(Object.hasOwn(definitions, name) ? references(definitions[name] as Schema) : [])
    // A set can grow while it is walked: what is added is walked as well.
    for (const other of reached) {
      if (!Object.hasOwn(definitions, other)) continue
      for (const further of references(definitions[other] as Schema)) reached.add(further)
    }
    known.set(name, reached)
    return reached
  }
}

/** References that speak of the same value as the schema itself. */
function inPlaceReferences(schema: Schema): string[] {
  if (typeof schema === 'boolean') return []
  const name = definitionName((schema as JsonSchema).$ref)
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? [])
  return [...(name === undefined ? [] : [name]), ...parts.flatMap(inPlaceReferences)]
}
