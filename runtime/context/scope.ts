import { copyJson } from '../json/json-copy.ts'
import { type AnyDataMessage, isDataMessage, type Message, messageKind } from './message.ts'
import { parseScopes } from './scope-list.ts'
import { scopedParts } from './scoped-parts.ts'

const nothing: readonly Message[] = Object.freeze([])

/**
 * Selects what an Activity may see of a context (SCOPE-1): the Messages of the kinds that the scopes name, and of the
 * others the parts that their References name, in order; nothing of another instance (INST-2). A Message without data
 * is of the kind that its type names, such as `text`.
 *
 * The result is a deep copy, which costs its size; without scopes it is one shared, frozen, empty list.
 *
 * @param instance The Call's `_instance`; without one only global Messages are seen.
 * @throws CallError `invalid_path` for a scope that is neither a kind nor a Reference.
 */
export function scopedContext(
  messages: readonly Message[],
  entries: readonly string[] | undefined,
  instance?: string,
): readonly Message[] {
  if (!entries || entries.length === 0) return nothing
  const scopes = parseScopes(entries)
  const visible = messages.filter(({ _instance }) => _instance === undefined || _instance === instance)
  const partsOfKinds = new Map<string, ReturnType<typeof scopedParts>>()
  for (const [kind, ways] of scopes) {
    if (ways.every((way) => way.length > 0))
      partsOfKinds.set(kind, scopedParts(asRead(visible, kind), kind, ways))
  }
  return visible.flatMap((message): readonly Message[] => {
    const kind = messageKind(message)
    if (!scopes.has(kind)) return nothing
    const parts = partsOfKinds.get(kind)
    if (!parts) return [copyJson(message)]
    return isDataMessage(message) ? copyJson(parts.get(message) ?? nothing) : nothing
  })
}

/** The data of a kind in the order in which an instance reads it: what is global counts as older (INST-1). */
function asRead(visible: readonly Message[], kind: string): AnyDataMessage[] {
  const ofKind = visible.filter(isDataMessage).filter((message) => messageKind(message) === kind)
  const isGlobal = (message: Message): boolean => message._instance === undefined
  return [...ofKind.filter(isGlobal), ...ofKind.filter((message) => !isGlobal(message))]
}
