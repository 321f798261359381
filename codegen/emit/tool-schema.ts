import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { referredDefinitions } from '../../runtime/schema/schema-children.ts'

/** Adds the definitions that a schema uses, and no others, as its `$defs`. Cached per schema. */
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

/** Returns a Tool's complete schema as the text that generated code has of it. */
export function schemaText(schema: JsonSchema, definitions: Readonly<Record<string, Schema>>): string {
  return JSON.stringify(withDefinitions(schema, definitions))
}

/** Cache: four files of a Tool need the complete schema, and finding its definitions walks all of it. */
const made = new WeakMap<JsonSchema, { definitions: Readonly<Record<string, Schema>>; whole: JsonSchema }>()

/** Returns the names of the definitions that a schema uses, also indirectly, sorted by code unit. */
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
