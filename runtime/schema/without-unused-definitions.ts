import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { forEachChildSchema } from './schema-children.ts'

/**
 * Leaves out the definitions that a part of a Tool's schema does not use, such as those of `_output` in the schema of its
 * parameters. Keeps all if a reference is not of the form `#/$defs/Name`: it may lead into any of them.
 */
export function withoutUnusedDefinitions(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema
  if ($defs === undefined) return schema
  const used = new Set<string>()
  if (!findUsed(rest, used)) return schema
  // Iterating a Set also visits items that are added meanwhile.
  for (const name of used) if (!findUsed(own($defs, name) as Schema, used)) return schema
  if (used.size === 0) return rest
  return { ...rest, $defs: Object.fromEntries(Object.entries($defs).filter(([name]) => used.has(name))) }
}

/** Adds the names of the definitions that a schema references. @returns False if it has references of another form. */
function findUsed(schema: Schema | undefined, used: Set<string>): boolean {
  if (!isJsonObject(schema)) return true
  const { $ref, $dynamicRef } = schema
  const name = definitionName($ref)
  if (name !== undefined) used.add(name)
  else if (($ref !== undefined && $ref !== '#') || $dynamicRef !== undefined) return false
  let isPlain = true
  forEachChildSchema(schema, (child) => {
    isPlain = findUsed(child, used) && isPlain
  })
  return isPlain
}
