import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'

/**
 * Through how many definitions a walk goes that follows each reference of a schema when it first comes to it, as everything
 * does that reads one. Walks with a stack of its own, since that is what is asked.
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
