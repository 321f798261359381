import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'

/**
 * Returns how many definitions deep a walk gets that follows each reference of a schema when it first meets it, as every
 * reader does. Uses an explicit stack: a recursive walk would overflow on the very schemas that this is meant to find.
 */
export function definitionDepth(schema: JsonSchema): number {
  const definitions: Readonly<Record<string, Schema>> = schema.$defs ?? {}
  const { $defs, ...root } = schema
  const seen = new Set<string>()
  const way = [referredDefinitions(root).values()]
  let deepest = 0
  for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
    const { done, value: name } = at.next()
    if (done) way.pop()
    else if (!seen.has(name) && Object.hasOwn(definitions, name)) {
      seen.add(name)
      way.push(referredDefinitions(definitions[name] as Schema).values())
      deepest = Math.max(deepest, way.length - 1)
    }
  }
  return deepest
}
