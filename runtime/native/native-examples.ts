import { interpretCheck } from '../check-tree/interpret.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { LoweredSchema } from '../lower/lower.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolExamples } from '../schema/tool-examples.ts'

/**
 * Writes the examples of a Tool as the arguments that a model would send (REQ-16). A provider refuses the whole request for
 * one example that breaks the schema, so what the lowered schema does not admit is left out: a Reference where none is
 * offered, or a value that the dialect cannot say.
 */
export function nativeExamples(tool: {
  readonly name: string
  readonly schema: ToolSchema
  readonly lowered: LoweredSchema
}): JsonObject[] {
  const calls = toolExamples(tool.name, tool.schema)
  if (calls.length === 0) return []
  const { schema, toLowered } = tool.lowered
  const isValid = interpretCheck(schema)
  const sent = isJsonObject(schema.properties) ? schema.properties : {}
  return calls.flatMap(({ _tool, _activity, ...given }) => {
    // Nobody writes into an example why it was called.
    const reasoned = Object.hasOwn(sent, '_reasoningForCall') ? { _reasoningForCall: '…', ...given } : given
    const written = toLowered(reasoned)
    return isJsonObject(written) && isValid(written) ? [written] : []
  })
}
