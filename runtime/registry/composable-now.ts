import { enabledTools } from '../call/accept/find-tool.ts'
import type { RegistryState } from '../call/registry-state.ts'
import type { ComposableTool } from '../compose/composable.ts'
import type { ContextLike } from '../context/context.ts'
import { sentForm } from '../schema/tool-name.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { contextTools } from './context-tools.ts'

/** Lists the Tools that are enabled in a context, each with the Activity that ACT-3 resolves for it. */
export function composableNow(
  state: RegistryState,
  context: ContextLike | undefined,
  principal: unknown = state.defaults.principal,
): ComposableTool[] {
  const registered = [...state.tools.entries]
  const entries = [...registered, ...withoutDuplicateNames(contextTools(state, context), registered)]
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

/**
 * Drops Tools of a context whose name, as sent to a provider, equals that of a registered Tool or of an earlier one:
 * providers refuse a list with a duplicate name.
 */
function withoutDuplicateNames(guests: readonly ToolEntry[], registered: readonly ToolEntry[]): ToolEntry[] {
  if (guests.length === 0) return []
  const sentAs = ({ facts }: ToolEntry): string => sentForm(facts.name)
  const taken = new Set(registered.map(sentAs))
  return guests.filter((guest) => {
    const name = sentAs(guest)
    const isFree = !taken.has(name)
    taken.add(name)
    return isFree
  })
}
