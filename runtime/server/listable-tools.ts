import { lazily } from '../lazily.ts'
import { messageOf } from '../problems/message-of.ts'
import { warnOnce } from '../problems/warn-once.ts'
import type { ServedTool } from './served-tools.ts'

/** Loaded on demand: servers that only answer `/calls` list no Tools. */
const interpreting = lazily(() => import('../check-tree/interpret.ts'))

/** Caches whether the schemas of a Tool are well-formed. */
const soundness = new WeakMap<ServedTool, boolean>()

/**
 * Drops Tools with a malformed schema, which `Tool.register` accepts, and warns of each: a client passes the list on to a provider,
 * or generates code from it, and one such Tool would make all of it unusable. A Call of such a Tool is refused with the reason.
 */
export async function listableTools(tools: readonly ServedTool[]): Promise<ServedTool[]> {
  const { requireSupported } = await interpreting()
  return tools.filter((tool) => {
    const known = soundness.get(tool)
    if (known !== undefined) return known
    let isSound = true
    try {
      for (const schema of [tool.inputSchema, tool.outputSchema ?? true]) requireSupported(schema)
    } catch (thrown) {
      isSound = false
      warnOnce(
        'CALLSHEET_TOOL',
        tool.name,
        `Tool "${tool.name}" is not listed over MCP and in the OpenAPI document. ${messageOf(thrown)}`,
      )
    }
    soundness.set(tool, isSound)
    return isSound
  })
}
