import { copyJson } from '../json/json-copy.ts'
import { type AnyDataMessage, isDataMessage, type Message, messageKind } from './message.ts'
import { parseScopes } from './scope-list.ts'
import { scopedParts } from './scoped-parts.ts'

const nothing: readonly Message[] = Object.freeze([])

/**
 * Selects the part of a context that an Activity may see (SCOPE-1), in order: whole Messages of the kinds that the scopes name,
 * and of other kinds the parts that their References name; nothing of another instance (INST-2). The kind of a Message without
 * data is its type, such as `text`.
 *
 * The result is a deep copy, in time linear in its size; without scopes it is one shared, frozen, empty array.
 *
 * @param instance The Call's `_instance`; without one, only global Messages are visible.
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
  const dataOfKinds = new Map<string, AnyDataMessage[]>()
  for (const message of visible) {
    const kind = messageKind(message)
    if (!isDataMessage(message) || !scopes.has(kind)) continue
    const others = dataOfKinds.get(kind)
    if (others) others.push(message)
    else dataOfKinds.set(kind, [message])
  }
  const partsOfKinds = new Map<string, ReturnType<typeof scopedParts>>()
  for (const [kind, ways] of scopes) {
    if (ways.some((way) => way.length === 0)) continue
    partsOfKinds.set(kind, scopedParts(asRead(dataOfKinds.get(kind) ?? []), kind, ways))
  }
  return visible.flatMap((message): readonly Message[] => {
    const kind = messageKind(message)
    if (!scopes.has(kind)) return nothing
    const parts = partsOfKinds.get(kind)
    if (!parts) return [copyJson(message)]
    return isDataMessage(message) ? copyJson(parts.get(message) ?? nothing) : nothing
  })
}

/** Orders the data of a kind as an instance reads it: global Messages count as older (INST-1). */
function asRead(messages: readonly AnyDataMessage[]): AnyDataMessage[] {
  const isGlobal = (message: Message): boolean => message._instance === undefined
  return [...messages.filter(isGlobal), ...messages.filter((message) => !isGlobal(message))]
}
