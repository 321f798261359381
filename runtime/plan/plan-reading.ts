import type { Call, Message } from '../context/message.ts'
import { isJsonObject } from '../json/json.ts'
import { withFixedFields } from '../schema/fixed-fields.ts'
import { mayHoldReferences } from '../schema/is-parameter.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { type ToolFacts, toolFacts } from '../schema/tool-facts.ts'
import { type IsParameter, withoutUnderscore } from './reads.ts'
import { toolsInMessages } from './tools-in-messages.ts'

/** How to find the reads and writes of a plan's Calls: both depend on the Calls' Tools. */
export interface PlanReading {
  /**
   * Returns true for parameters that may contain References (REF-5). For an unknown Tool, by the parameter's name
   * alone.
   */
  readonly isReadable: IsParameter
  /** Returns the Call with the fields that its Tool fixes, among them the path that it writes to. */
  readonly complete: (call: Call) => Call
}

/** Creates the PlanReading of Tools with these facts. */
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
    complete: (call) => (isJsonObject(call) ? withFixedFields(call, factsOf(call._tool)?.fixed) : call),
  }
}

/**
 * Creates the PlanReading of Tools with these schemas, and of those in the `tool` Messages of the context. The facts of
 * each schema are derived once.
 *
 * @param context May be appended to later.
 * @param references The option of the run. With `false`, no parameter contains References.
 */
export function planReading(
  schemaOf: (tool: string) => ToolSchema | undefined,
  context: readonly Message[],
  references?: false | readonly string[],
): PlanReading {
  const known = new WeakMap<ToolSchema, ToolFacts>()
  const schemaInContext = toolsInMessages(context)
  return planReadingOf((tool) => {
    const schema = schemaOf(tool) ?? schemaInContext(tool)
    if (!schema) return undefined
    const facts = known.get(schema) ?? toolFacts(tool, schema)
    known.set(schema, facts)
    return facts
  }, references)
}
