import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import { noAnswer } from './answer-failures.ts'
import { firstOf, replyOf, requireUsableEnd, usageOf } from './completion.ts'
import { type ConversationMessage, type ModelApi, schemaName } from './reply.ts'
import { senderOf } from './sender-of.ts'
import { StreamedCompletion } from './streamed-completion.ts'

/** Chat completions, which nearly every server supports. */
export const chatApi: ModelApi = {
  native: 'openai-chat',

  hasForm: ({ tool_calls }) => Array.isArray(tool_calls),

  sender: (client) => senderOf(client, 'chat.completions'),

  body: ({ model, messages, schema, tools, stream, strict }) => ({
    model,
    messages: withThoughts(withUser(withoutUsersAfterResults(messages)).flatMap(chatMessages)),
    ...(schema && { response_format: responseFormat(schema, strict) }),
    ...(tools && { tools }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  }),

  read(answer) {
    const choice = firstOf(isJsonObject(answer) ? own(answer, 'choices') : undefined)
    const message = choice && own(choice, 'message')
    if (!isJsonObject(answer) || !choice || !isJsonObject(message)) throw noAnswer('chat completion', answer)
    const usage = usageOf(own(answer, 'usage'))
    const finish = own(choice, 'finish_reason')
    requireUsableEnd(finish, own(choice, 'error'), usage)
    return replyOf(message, finish, usage)
  },

  async readStream(stream, listener) {
    const answer = new StreamedCompletion(listener)
    for await (const chunk of stream) answer.take(chunk)
    return answer.reply()
  },
}

function responseFormat(schema: JsonSchema | true, strict: boolean): JsonObject {
  if (schema === true) return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name: schemaName, ...(strict && { strict }), schema } }
}

/** Makes the turns begin and end with the user's: Gemini, Mistral and the templates of many open models require both. */
function withUser([system, ...turns]: readonly ConversationMessage[]): ConversationMessage[] {
  const goOn = { role: 'user', content: 'Go on.' } as const
  if (turns[0]?.role !== 'user') turns.unshift(goOn)
  if (turns.at(-1)?.role === 'assistant') turns.push(goOn)
  return system ? [system, ...turns] : turns
}

/** Appends user messages after tool results to the last result, since Mistral refuses a user message there. */
function withoutUsersAfterResults(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const kept: ConversationMessage[] = []
  for (const message of messages) {
    const before = kept.at(-1)
    const last = before?.role === 'results' ? before.results.at(-1) : undefined
    if (message.role !== 'user' || before?.role !== 'results' || !last) kept.push(message)
    else {
      const content = `${last.content}\n\n${message.content}`
      kept[kept.length - 1] = { role: 'results', results: before.results.with(-1, { ...last, content }) }
    }
  }
  return kept
}

function chatMessages(message: ConversationMessage): JsonObject[] {
  if (message.role === 'said') return [{ role: 'assistant', ...message.said }]
  if (message.role !== 'results') return [{ ...message }]
  return message.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }))
}

/**
 * Gives every turn of a model that thinks its `reasoning_content`: DeepSeek refuses all later requests if one has none, and a model
 * writes some turns without thinking.
 */
function withThoughts(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (!messages.some(({ reasoning_content }) => typeof reasoning_content === 'string')) return messages
  return messages.map((message) =>
    message.role === 'assistant' ? { reasoning_content: '', ...message } : message,
  )
}
