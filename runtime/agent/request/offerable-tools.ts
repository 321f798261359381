import { interpretCheck } from '../../check-tree/interpret.ts'
import type { ComposableTool } from '../../compose/compose.ts'
import { CallsheetError, isCallsheetError } from '../../errors.ts'
import { messageOf } from '../../problems/message-of.ts'
import { warnOnce } from '../../problems/warn-once.ts'
import { callSchema } from '../../schema/call-schema.ts'
import { outputSchema } from '../../schema/output-schema.ts'
import type { ToolSchema } from '../../schema/schema.ts'

/** Of a Tool's schema: whether it is one. A Tool stays what it is while its Message does. */
const soundness = new WeakMap<ToolSchema, boolean>()

/** Leaves out Tools that came with the context and whose schemas are none. */
export function soundTools(tools: readonly ComposableTool[]): ComposableTool[] {
  return tools.filter((tool) => {
    if (!tool.isGuest) return true
    const isSound = soundness.get(tool.schema) ?? canBeOffered(tool, requireSchemas)
    soundness.set(tool.schema, isSound)
    return isSound
  })
}

/**
 * Leaves out Tools that came with the context and of which no model can be told.
 *
 * @param say Puts a single Tool into words for a model, or throws.
 */
export function sayableTools(
  tools: readonly ComposableTool[],
  say: (tool: ComposableTool) => unknown,
): ComposableTool[] {
  return tools.filter((tool) => !tool.isGuest || canBeOffered(tool, say))
}

/** Whether nothing keeps a Tool from being offered; what does is warned of. */
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
 * Names a Tool whose schema holds what is none: that of one that was registered at run time is first read here.
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function requireSchemas({ name, schema }: ComposableTool): void {
  try {
    for (const part of [callSchema(schema).schema, outputSchema(schema) ?? true]) interpretCheck(part)
  } catch (thrown) {
    if (!isCallsheetError(thrown)) return
    const { code, problems, message } = thrown
    throw new CallsheetError(code, `Tool "${name}" cannot be offered. ${message}`, { problems })
  }
}
