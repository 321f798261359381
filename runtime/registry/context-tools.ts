import type { RegistryState } from '../call/registry-state.ts'
import type { ContextLike } from '../context/context.ts'
import { messagesOf } from '../context/messages-of.ts'
import { isJsonObject } from '../json/json.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import { isToolName } from '../schema/tool-name.ts'
import { requireMetaFields } from '../tools/meta-field-rules.ts'
import { invalidToolName } from '../tools/register-tool.ts'
import { registeredEntry } from '../tools/registered-entry.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'

/** By the schema in the `tool` Message, so that each is checked once. */
const entries = new WeakMap<object, ToolEntry | 'malformed'>()

/**
 * Lists the Tools in the `tool` Messages of a context; of several with one name, the newest. They never replace a
 * registered Tool and never reach a registered Activity (CALL-11b): what an Activity or an Idea puts into a context
 * must not change what a known name does, or bypass the schema, effects and policies of a registered Tool.
 */
export function contextTools(state: RegistryState, context: ContextLike | undefined): ToolEntry[] {
  const found = new Map<string, ToolEntry>()
  for (const message of messagesOf(context)) {
    if (message?.type !== 'tool' || !isJsonObject(message.tool)) continue
    const name = declaredToolName(message.tool)
    if (name === undefined || state.tools.get(name)) continue
    const entry = entries.get(message.tool) ?? createGuest(state, name, message.tool)
    entries.set(message.tool, entry)
    if (entry === 'malformed' || reachesRegistered(state, entry)) continue
    found.set(name, entry)
  }
  return [...found.values()]
}

function createGuest({ events }: RegistryState, name: string, schema: object): ToolEntry | 'malformed' {
  try {
    // A provider refuses the whole list of Tools for one invalid name.
    if (!isToolName(name)) throw invalidToolName(name)
    const plain = plainToolSchema(name, schema)
    requireMetaFields(name, plain)
    return Object.assign(registeredEntry(name, plain, undefined), { isGuest: true })
  } catch (error) {
    events.failed('tool', error, `Tool "${name}" in a context is malformed and was left out.`)
    return 'malformed'
  }
}

/**
 * Returns true if a Tool of a context names a registered Activity: by its own name, its `_activity` or a fixed
 * `_delegate`. Such a Tool is left out rather than run latently, since its author meant the Activity to run. A delegate
 * that the Call chooses is checked with that Call.
 */
function reachesRegistered({ tools, activities, ideas }: RegistryState, { facts }: ToolEntry): boolean {
  const { activity = facts.name, delegate } = facts
  const wanted = [activity, delegate].filter((name) => name !== undefined && name !== '' && !ideas.has(name))
  if (wanted.length === 0) return false
  if (wanted.some((name) => activities.knows(name as string))) return true
  for (const { facts: known } of tools.entries) {
    if (wanted.includes(known.activity ?? known.name)) return true
  }
  return false
}
