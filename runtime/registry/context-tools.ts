import type { ContextLike } from '../context/context.ts'
import { messagesOf } from '../context/messages-of.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import { entryOf } from '../tools/registered-entry.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'

const entries = new WeakMap<object, ToolEntry>()

/**
 * The Tools that a context brings along in its Messages, of one name the newest. A registered Tool is never replaced,
 * and its Activity never reached by another schema: what an Activity or an Idea puts into a context must not change what
 * a known name does, nor get round what that Tool's schema, effects and policies keep out.
 */
export function contextTools(tools: ToolRegistry, context: ContextLike | undefined): ToolEntry[] {
  const found = new Map<string, ToolEntry>()
  for (const message of messagesOf(context)) {
    if (message.type !== 'tool') continue
    const name = declaredToolName(message.tool)
    if (name === undefined || tools.get(name)) continue
    const entry = entries.get(message.tool) ?? entryOf(name, plainToolSchema(name, message.tool), undefined)
    entries.set(message.tool, entry)
    if (reachesRegistered(tools, entry)) continue
    found.set(name, entry)
  }
  return [...found.values()]
}

/** Whether the Activity that it would run by (ACT-3) is that of a registered Tool. */
function reachesRegistered(tools: ToolRegistry, { facts }: ToolEntry): boolean {
  const { activity = facts.name } = facts
  if (activity === '') return false
  for (const { facts: known } of tools.entries) {
    if ((known.activity ?? known.name) === activity) return true
  }
  return false
}
