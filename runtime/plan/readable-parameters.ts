import { mayHoldReferences } from '../schema/is-parameter.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { type ToolFacts, toolFacts } from '../schema/tool-facts.ts'
import { type IsParameter, withoutUnderscore } from './reads.ts'

/** Tells the parameters that may hold References (REF-5) by the facts of their Tool; of an unknown Tool by their names alone. */
export function readableByFacts(factsOf: (tool: string) => ToolFacts | undefined): IsParameter {
  return (call, name) => {
    const facts = factsOf(call._tool)
    return facts ? mayHoldReferences(facts, name) : withoutUnderscore(call, name)
  }
}

/**
 * Tells them by the schema of their Tool. The facts of each schema are read off once.
 *
 * @param references Which References the run reads: where it is `false`, all text is text.
 */
export function readableBySchemas(
  schemaOf: (tool: string) => ToolSchema | undefined,
  references?: false | readonly string[],
): IsParameter {
  if (references === false) return () => false
  const known = new WeakMap<ToolSchema, ToolFacts>()
  return readableByFacts((tool) => {
    const schema = schemaOf(tool)
    if (!schema) return undefined
    const facts = known.get(schema) ?? toolFacts(tool, schema)
    known.set(schema, facts)
    return facts
  })
}
