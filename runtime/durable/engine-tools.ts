import type { AgentTools } from '../agent/loop/agent-options.ts'
import { stateBehind } from '../call/registry-state.ts'
import type { RunOptions } from '../call/run-options.ts'
import type { ToolSchema } from '../schema/schema.ts'

/** The facts about a Tool that the sender of its Calls needs. */
export interface SentTool {
  readonly schema: ToolSchema
  /** True if the context decides whether it is enabled (TOOL-9), so that each Call must be sent with its context. */
  readonly isSwitched?: boolean | undefined
  /** The References that its Calls may read. */
  readonly references?: RunOptions['references']
}

/** A Tool known to an engine; its `activity` is `''` if it is latent. */
export interface EngineTool extends SentTool {
  readonly name: string
  readonly activity: string
}

/**
 * Lists the Tools of a registry for an engine, including those that are disabled in an empty context. For a wrapper
 * around a registry only the enabled Tools are known, and not why: so each of its Calls is sent with its context.
 */
export function engineTools(tools: Pick<AgentTools, 'composable'>): EngineTool[] {
  const state = stateBehind(tools)
  if (!state) return tools.composable().map((tool) => ({ ...tool, isSwitched: true }))
  return Array.from(state.tools.entries)
    .filter(({ enabled }) => enabled !== false)
    .map((entry) => {
      const resolution = state.activities.resolve(entry)
      return {
        name: entry.facts.name,
        schema: entry.schema,
        activity: resolution.mode === 'explicit' ? resolution.activity : '',
        isSwitched: typeof entry.enabled === 'function',
      }
    })
}
