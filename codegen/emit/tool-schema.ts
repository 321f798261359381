import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'
import type { Model } from '../model.ts'

/** A schema that stands alone: with the definitions that it reaches, and no others, as its `$defs`. */
export function withDefinitions<Given extends JsonSchema>(
  schema: Given,
  definitions: Model['definitions'],
): Given {
  const names = reachedDefinitions(schema, definitions)
  if (names.length === 0) return schema
  return { ...schema, $defs: Object.fromEntries(names.map((name) => [name, definitions[name]])) }
}

/** The names of the definitions that a schema reaches, through others too; sorted by code unit. */
export function reachedDefinitions(schema: Schema, definitions: Model['definitions']): string[] {
  const reached = new Set<string>()
  const pending: Schema[] = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of referredDefinitions(next)) {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
      if (reached.has(name) || definition === undefined) continue
      reached.add(name)
      pending.push(definition)
    }
  }
  return [...reached].sort(byCodeUnit)
}
