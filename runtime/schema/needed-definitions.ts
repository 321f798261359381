import { byCodeUnit } from '../json/json.ts'
import type { Schema } from './schema.ts'
import { referredDefinitions } from './schema-children.ts'

/** Returns the definitions that a schema references, directly or through others, sorted by name. */
export function reachable(
  schema: Schema,
  definitions: { get(name: string): Schema | undefined },
): [name: string, definition: Schema][] {
  const needed = referredDefinitions(schema)
  // Iterating a Set also visits items that are added meanwhile.
  for (const name of needed) {
    const definition = definitions.get(name)
    if (definition !== undefined) referredDefinitions(definition, needed)
  }
  return [...needed].sort(byCodeUnit).flatMap((name): [string, Schema][] => {
    const definition = definitions.get(name)
    return definition === undefined ? [] : [[name, definition]]
  })
}

/** Keywords with which references may not resolve to the definitions at the schema's root. */
const otherReference = /"\$(?:id|anchor|dynamicRef)"|"\$ref":"(?!#\/\$defs\/[^"/%~]+"|#")/

/** True if a reference may lead elsewhere than to a definition at the schema's root, or to the root. */
export function mayReferElsewhere(schema: Schema): boolean {
  return otherReference.test(JSON.stringify(schema))
}

/**
 * Drops unreferenced definitions: a model that is shown the schema of parameters would waste tokens on those of the output.
 * Keeps all if a reference may lead into any of them.
 */
export function withNeededDefinitions<Given extends Schema>(schema: Given): Given {
  if (typeof schema !== 'object' || !schema.$defs || mayReferElsewhere(schema)) return schema
  const { $defs, ...rest } = schema
  const needed = reachable(rest, new Map(Object.entries($defs)))
  return { ...rest, ...(needed.length > 0 && { $defs: Object.fromEntries(needed) }) } as Given
}
