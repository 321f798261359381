import type { AgentTools } from '../agent/loop/agent-options.ts'
import { stateBehind } from '../call/registry-state.ts'
import type { RunOptions } from '../call/run-options.ts'
import type { ToolSchema } from '../schema/schema.ts'

/** What has to be known of a Tool where its Calls are sent from. */
export interface SentTool {
  readonly schema: ToolSchema
  /** Its context decides whether it is on (TOOL-9), and so goes along with each Call. */
  readonly isSwitched?: boolean | undefined
  /** Which References its Calls may read. */
  readonly references?: RunOptions['references']
}

/** A Tool that an engine knows; its `activity` is `''` where the model answers. */
export interface EngineTool extends SentTool {
  readonly name: string
  readonly activity: string
}

/**
 * Lists the Tools of a registry for an engine: also those that are off in an empty context. Of something in front of a registry only
 * what is on is known, and not by what: so each of its Calls takes its context along.
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
