import type { Message } from '../../context/message.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { declaredToolName } from '../../schema/declared-tool-name.ts'

/**
 * Lists the Tools that came while a context grew, in that order: what searches found, and what nobody registered but the
 * context brought along. The context is the only record of them, so that a run that is resumed, replayed or carried on
 * by another process offers the same (FIND-2).
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

/** Lists what a Message tells of as found; nothing for a Message that is not a result of a search. */
export function foundIn(message: Message, searchTool: string): readonly string[] {
  if (message.type !== 'data') return []
  const call = own(message, '_call')
  const data = own(message, 'data')
  if (!isJsonObject(call) || call._tool !== searchTool || !isJsonObject(data)) return []
  const found = own(data, 'found')
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : []
}
