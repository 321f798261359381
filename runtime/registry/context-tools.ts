import type { ContextLike } from '../context/context.ts'
import { messagesOf } from '../context/messages-of.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import { entryOf } from '../tools/registered-entry.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'

const entries = new WeakMap<object, ToolEntry>()

/**
 * The Tools that a context brings along in its Messages, of one name the newest. A registered Tool is never replaced:
 * what an Activity or a model puts into a context must not change what a known name does.
 */
export function contextTools(tools: ToolRegistry, context: ContextLike | undefined): ToolEntry[] {
  const found = new Map<string, ToolEntry>()
  for (const message of messagesOf(context)) {
    if (message.type !== 'tool') continue
    const name = declaredToolName(message.tool)
    if (name === undefined || tools.get(name)) continue
    const entry = entries.get(message.tool) ?? entryOf(name, plainToolSchema(name, message.tool), undefined)
    entries.set(message.tool, entry)
    found.set(name, entry)
  }
  return [...found.values()]
}
