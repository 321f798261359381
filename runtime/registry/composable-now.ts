import { enabledTools } from '../call/accept/find-tool.ts'
import type { RegistryState } from '../call/registry-state.ts'
import type { ComposableTool } from '../compose/composable.ts'
import type { ContextLike } from '../context/context.ts'
import { contextTools } from './context-tools.ts'

/** Lists the Tools that are on in a context, with the Activity that ACT-3 resolves for each. */
export function composableNow(
  state: RegistryState,
  context: ContextLike | undefined,
  principal: unknown = state.defaults.principal,
): ComposableTool[] {
  const entries = [...state.tools.entries, ...contextTools(state, context)]
  return enabledTools(state, entries, context, principal).map((entry) => {
    const resolution = state.activities.resolve(entry)
    const activity = resolution.mode === 'explicit' ? resolution.activity : ''
    return {
      name: entry.facts.name,
      schema: entry.schema,
      activity,
      ...(entry.isGuest && { isGuest: true }),
    }
  })
}
