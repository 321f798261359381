import { isJsonObject } from '../../json/json.ts'
import type { ConversationMessage, Reply } from '../transport/reply.ts'
import type { RequestError } from '../transport/request-error.ts'
import { foreignCalls } from './foreign-calls.ts'

/** Builds the messages that tell the model why its answer is unusable, after the answer itself (REQ-6a). */
export function feedback(
  { text, message }: RequestError,
  mode: 'composed' | 'native' | 'data',
  reply: Reply | undefined,
): ConversationMessage[] {
  const again = { role: 'user', content: `${message} Answer again, in full.` } as const
  const asText = text ? [{ role: 'assistant', content: text } as const, again] : undefined
  if (mode !== 'native' || !reply) return asText ?? []
  // A foreign call is not sent back: the server would require a result of its kind.
  if (foreignCalls(reply.answer).length > 0) return asText ?? [again]
  const results = toolCallIds(reply.said).map((id) => ({
    id,
    content: 'Not run: the answer cannot be used.',
    isError: true,
  }))
  // Servers refuse a turn without text or calls.
  if (results.length === 0 && reply.text.trim() === '') return [again]
  const said: ConversationMessage = { role: 'said', said: reply.said }
  return results.length > 0 ? [said, { role: 'results', results }, again] : [said, again]
}

/** Returns the ids of the tool calls in a turn; each requires a result. */
function toolCallIds({ tool_calls, output, content }: Reply['said']): string[] {
  const items = [tool_calls, output, content].flatMap((list) => (Array.isArray(list) ? list : []))
  return items.filter(isJsonObject).flatMap(({ id, call_id, type }) => {
    const given =
      type === 'function_call' ? call_id : type === 'tool_use' || type === 'function' ? id : undefined
    return typeof given === 'string' ? [given] : []
  })
}
