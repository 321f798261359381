import { requireSupported } from '../../check-tree/interpret.ts'
import type { ComposableTool } from '../../compose/compose.ts'
import { CallsheetError, isCallsheetError } from '../../errors.ts'
import { messageOf } from '../../problems/message-of.ts'
import { warnOnce } from '../../problems/warn-once.ts'
import { callSchema } from '../../schema/call-schema.ts'
import { outputSchema } from '../../schema/output-schema.ts'
import type { ToolSchema } from '../../schema/schema.ts'

/** Caches whether the schema of a Tool is valid. */
const soundness = new WeakMap<ToolSchema, boolean>()

/**
 * Drops Tools of the context with malformed schemas.
 *
 * @throws CallsheetError `unsupported_schema` for any other Tool with one: a provider would refuse the whole Request.
 */
export function soundTools(tools: readonly ComposableTool[]): ComposableTool[] {
  return tools.filter((tool) => {
    if (!tool.isGuest) {
      if (!soundness.has(tool.schema)) requireSchemas(tool)
      soundness.set(tool.schema, true)
      return true
    }
    const isSound = soundness.get(tool.schema) ?? canBeOffered(tool, requireSchemas)
    soundness.set(tool.schema, isSound)
    return isSound
  })
}

/**
 * Drops Tools of the context that cannot be expressed in the dialect.
 *
 * @param express Lowers a single Tool, or throws.
 */
export function expressibleTools(
  tools: readonly ComposableTool[],
  express: (tool: ComposableTool) => unknown,
): ComposableTool[] {
  return tools.filter((tool) => !tool.isGuest || canBeOffered(tool, express))
}

/** True if a Tool can be offered; warns of the reason otherwise. */
function canBeOffered(tool: ComposableTool, attempt: (tool: ComposableTool) => unknown): boolean {
  try {
    attempt(tool)
    return true
  } catch (thrown) {
    const what = `Tool "${tool.name}", which came with the context, is not offered to the model.`
    warnOnce('CALLSHEET_TOOL', tool.name, `${what} ${messageOf(thrown)}`)
    return false
  }
}

/**
 * Requires Tools to have valid schemas, and names the Tool otherwise. Schemas registered at run time are validated here for the
 * first time.
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function requireSchemas({ name, schema }: ComposableTool): void {
  try {
    for (const part of [callSchema(schema).schema, outputSchema(schema) ?? true]) requireSupported(part)
  } catch (thrown) {
    if (!isCallsheetError(thrown)) return
    const { code, problems, message } = thrown
    throw new CallsheetError(code, `Tool "${name}" cannot be offered. ${message}`, { problems })
  }
}
