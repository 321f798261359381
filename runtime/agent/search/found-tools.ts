import type { Message } from '../../context/message.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { declaredToolName } from '../../schema/declared-tool-name.ts'

/**
 * Lists the Tools that were added while a context grew, in that order: those that searches found, and unregistered ones from the
 * context. The context is the only record of them, so that a run that is resumed, replayed or continued in another process offers
 * the same Tools (FIND-2).
 */
export function toolsInMessages(
  context: readonly Message[],
  searchTool: string,
  isRegistered: (name: string) => boolean,
): string[] {
  const names = context.flatMap((message) => {
    if (message.type !== 'tool') return foundIn(message, searchTool)
    const name = declaredToolName(message.tool)
    return name === undefined || isRegistered(name) ? [] : [name]
  })
  return [...new Set(names)]
}

/** Lists the Tools that a search result found; empty for any other Message. */
export function foundIn(message: Message, searchTool: string): readonly string[] {
  if (message.type !== 'data') return []
  const call = own(message, '_call')
  const data = own(message, 'data')
  if (!isJsonObject(call) || call._tool !== searchTool || !isJsonObject(data)) return []
  const found = own(data, 'found')
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : []
}
