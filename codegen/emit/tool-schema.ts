import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'

/** A schema that stands alone: with the definitions that it reaches, and no others, as its `$defs`. Made once for a schema. */
export function withDefinitions<Given extends JsonSchema>(
  schema: Given,
  definitions: Readonly<Record<string, Schema>>,
): Given {
  const known = made.get(schema)
  if (known?.definitions === definitions) return known.whole as Given
  const names = reachedDefinitions(schema, definitions)
  const $defs = Object.fromEntries(names.map((name) => [name, definitions[name]]))
  const whole = names.length === 0 ? schema : { ...schema, $defs }
  made.set(schema, { definitions, whole })
  return whole
}

/** Four files of a Tool are made of the whole schema, and finding out what it reaches takes a look at all of it. */
const made = new WeakMap<JsonSchema, { definitions: Readonly<Record<string, Schema>>; whole: JsonSchema }>()

/** The names of the definitions that a schema reaches, through others too; sorted by code unit. */
export function reachedDefinitions(schema: Schema, definitions: Readonly<Record<string, Schema>>): string[] {
  const reached = new Set<string>()
  if (Object.keys(definitions).length === 0) return []
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
