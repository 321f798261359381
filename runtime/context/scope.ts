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

/** Orders the data of a kind as an instance reads it: global Messages count as older (INST-1). */
function asRead(visible: readonly Message[], kind: string): AnyDataMessage[] {
  const ofKind = visible.filter(isDataMessage).filter((message) => messageKind(message) === kind)
  const isGlobal = (message: Message): boolean => message._instance === undefined
  return [...ofKind.filter(isGlobal), ...ofKind.filter((message) => !isGlobal(message))]
}
