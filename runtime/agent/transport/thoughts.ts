import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { sizeOf } from '../../json/size-of.ts'

/**
 * The properties in which servers of chat completions send the model's reasoning, or a signature of it. They are sent
 * back unchanged: DeepSeek and Kimi refuse the turn after a tool call without `reasoning_content`, OpenRouter without
 * `reasoning_details`, and Gemini without the `extra_content` of each call.
 */
export function thoughtsOf({ reasoning_content, reasoning_details, extra_content }: JsonObject): JsonObject {
  return withoutNulls({ reasoning_content, reasoning_details, extra_content })
}

/**
 * Merges a piece of a stream: texts and arrays are concatenated, any other value is replaced.
 *
 * @returns How many characters came with it, as `sizeOf` counts them: the names in each piece of a text do not count.
 */
export function growThoughts(thoughts: JsonObject, piece: JsonObject): number {
  let grown = 0
  for (const [member, added] of Object.entries(thoughtsOf(piece))) {
    const before = thoughts[member]
    if (Array.isArray(added)) {
      const list: unknown[] = Array.isArray(before) ? before : []
      thoughts[member] = list
      for (const item of added) grown += growList(list, item)
    } else {
      thoughts[member] = typeof added === 'string' && typeof before === 'string' ? before + added : added
      grown += sizeOf(added)
    }
  }
  return grown
}

/** Joins the pieces of an entry, which have the same type and index: OpenRouter refuses a signed entry that is not complete. */
function growList(list: unknown[], item: unknown): number {
  const last = list.at(-1)
  if (isJsonObject(item) && isJsonObject(last) && isSamePlace(item, last)) return growEntry(last, item)
  list.push(isJsonObject(item) ? { ...item } : item)
  return sizeOf(item)
}

function isSamePlace(item: JsonObject, last: JsonObject): boolean {
  return typeof item.index === 'number' && item.index === last.index && item.type === last.type
}

function growEntry(entry: JsonObject, piece: JsonObject): number {
  let grown = 0
  for (const [member, added] of Object.entries(withoutNulls(piece))) {
    const before = entry[member]
    if (added === before && !goingOn.has(member)) continue
    entry[member] = goingOn.has(member) && typeof before === 'string' ? before + String(added) : added
    grown += sizeOf(added)
  }
  return grown
}

/** The members of an entry whose pieces are joined. */
const goingOn: ReadonlySet<string> = new Set(['text', 'summary', 'data'])

/** Returns the properties that are set: servers refuse null for many that they send as null themselves. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  )
}
