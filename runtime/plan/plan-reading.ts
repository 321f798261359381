import type { Call, Message } from '../context/message.ts'
import { isJsonObject } from '../json/json.ts'
import { withFixedFields } from '../schema/fixed-fields.ts'
import { mayHoldReferences } from '../schema/is-parameter.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { type ToolFacts, toolFacts } from '../schema/tool-facts.ts'
import { broughtTools } from './brought-tools.ts'
import { type IsParameter, withoutUnderscore } from './reads.ts'

/** How the Calls of a plan are read: what only their Tools say of them. */
export interface PlanReading {
  /** Tells the parameters that may hold References (REF-5); of an unknown Tool by their names alone. */
  readonly isReadable: IsParameter
  /** The Call with what its Tool fixes: that is where it writes. */
  readonly whole: (call: Call) => Call
}

/** Makes what reads a plan by the facts of its Tools. */
export function planReadingOf(
  factsOf: (tool: string) => ToolFacts | undefined,
  references?: false | readonly string[],
): PlanReading {
  const isReadable: IsParameter = (call, name) => {
    const facts = factsOf(call._tool)
    return facts ? mayHoldReferences(facts, name) : withoutUnderscore(call, name)
  }
  return {
    isReadable: references === false ? () => false : isReadable,
    whole: (call) => (isJsonObject(call) ? withFixedFields(call, factsOf(call._tool)?.fixed) : call),
  }
}

/**
 * Makes what reads a plan by the schemas of its Tools: those of `schemaOf`, and those that its context brings. The facts of
 * each are read off once.
 *
 * @param context May grow at its end.
 * @param references Which References the run reads: where it is `false`, all text is text.
 */
export function planReading(
  schemaOf: (tool: string) => ToolSchema | undefined,
  context: readonly Message[],
  references?: false | readonly string[],
): PlanReading {
  const known = new WeakMap<ToolSchema, ToolFacts>()
  const brought = broughtTools(context)
  return planReadingOf((tool) => {
    const schema = schemaOf(tool) ?? brought(tool)
    if (!schema) return undefined
    const facts = known.get(schema) ?? toolFacts(tool, schema)
    known.set(schema, facts)
    return facts
  }, references)
}
