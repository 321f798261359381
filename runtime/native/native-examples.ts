import { interpretCheck } from '../check-tree/interpret.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { LoweredSchema } from '../lower/lower.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolExamples } from '../schema/tool-examples.ts'

/**
 * Converts the examples of a Tool to the arguments that a model would send (REQ-16). A provider refuses the whole
 * request for one invalid example, so examples that the lowered schema does not accept are left out: with a Reference
 * that is not offered, or a value that the dialect cannot express.
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
    // Examples contain no reason for the call.
    const reasoned = Object.hasOwn(sent, '_reasoningForCall') ? { _reasoningForCall: '…', ...given } : given
    const written = toLowered(reasoned)
    return isJsonObject(written) && isValid(written) ? [written] : []
  })
}
