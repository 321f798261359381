import { isJsonObject, type JsonObject } from '../../json/json.ts'

/**
 * The properties in which servers of chat completions send the model's reasoning, or a signature of it. They are sent
 * back unchanged: DeepSeek and Kimi refuse the turn after a tool call without `reasoning_content`, OpenRouter without
 * `reasoning_details`, and Gemini without the `extra_content` of each call.
 */
export function thoughtsOf({ reasoning_content, reasoning_details, extra_content }: JsonObject): JsonObject {
  return withoutNulls({ reasoning_content, reasoning_details, extra_content })
}

/** Merges a piece of a stream: texts and arrays are concatenated, any other value is replaced. */
export function growThoughts(thoughts: JsonObject, piece: JsonObject): void {
  for (const [member, added] of Object.entries(thoughtsOf(piece))) {
    const before = thoughts[member]
    if (typeof added === 'string') thoughts[member] = typeof before === 'string' ? before + added : added
    else if (Array.isArray(added)) thoughts[member] = growList(Array.isArray(before) ? before : [], added)
    else thoughts[member] = added
  }
}

/** Joins the pieces of an entry, which have the same type and index: OpenRouter refuses a signed entry that is not complete. */
function growList(list: unknown[], added: readonly unknown[]): unknown[] {
  for (const item of added) {
    const last = list.at(-1)
    if (isJsonObject(item) && isJsonObject(last) && isSamePlace(item, last)) growEntry(last, item)
    else list.push(isJsonObject(item) ? { ...item } : item)
  }
  return list
}

function isSamePlace(item: JsonObject, last: JsonObject): boolean {
  return typeof item.index === 'number' && item.index === last.index && item.type === last.type
}

function growEntry(entry: JsonObject, piece: JsonObject): void {
  for (const [member, added] of Object.entries(withoutNulls(piece))) {
    const before = entry[member]
    const goesOn = ['text', 'summary', 'data'].includes(member) && typeof before === 'string'
    entry[member] = goesOn ? before + String(added) : added
  }
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  )
}
