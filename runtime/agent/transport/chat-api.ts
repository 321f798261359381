import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { filtered, streamBrokeOff } from './answer-failures.ts'
import { type ConversationMessage, type ModelApi, type Reply, schemaName } from './reply.ts'
import { RequestError } from './request-error.ts'
import { senderOf } from './sender-of.ts'
import { tokenCount } from './token-count.ts'

/** Chat completions: what nearly every server speaks. */
export const chatApi: ModelApi = {
  native: 'openai-chat',

  sender: (client) => senderOf(client, 'chat.completions'),

  body: ({ model, messages, schema, tools, stream, body }) => ({
    model,
    messages: messages.flatMap(chatMessages),
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { name: schemaName, strict: true, schema } },
    }),
    ...(tools && { tools }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
    ...body,
  }),

  read(answer) {
    const choice = firstOf(isJsonObject(answer) ? own(answer, 'choices') : undefined)
    const message = choice && own(choice, 'message')
    if (!isJsonObject(answer) || !choice || !isJsonObject(message)) throw noCompletion(answer)
    return replyOf(message, own(choice, 'finish_reason'), usageOf(own(answer, 'usage')))
  },

  async readStream(stream, { onText, onToolCall, onGrowth }) {
    const text: string[] = []
    const refusal: string[] = []
    const calls = new Map<unknown, { id: unknown; name: string; arguments: string }>()
    let current: { name: string; arguments: string } | undefined
    let finish: unknown = null
    let usage = noUsage
    for await (const chunk of stream) {
      if (!isJsonObject(chunk)) throw noCompletion(chunk)
      if (isJsonObject(own(chunk, 'usage'))) usage = usageOf(own(chunk, 'usage'))
      const choice = firstOf(own(chunk, 'choices'))
      if (!choice) continue
      finish = own(choice, 'finish_reason') ?? finish
      const delta = own(choice, 'delta')
      if (!isJsonObject(delta)) continue
      const { content, refusal: refused, tool_calls } = delta
      if (typeof refused === 'string') {
        onGrowth(refused.length)
        refusal.push(refused)
      }
      if (typeof content === 'string' && content !== '') {
        onGrowth(content.length)
        text.push(content)
        onText(content)
      }
      for (const piece of Array.isArray(tool_calls) ? tool_calls.filter(isJsonObject) : []) {
        const call = calls.get(piece.index) ?? { id: piece.id, name: '', arguments: '' }
        // One is complete when the next begins.
        if (current && current !== call) onToolCall(current)
        current = call
        const called = isJsonObject(piece.function) ? piece.function : {}
        onGrowth(String(called.name ?? '').length + String(called.arguments ?? '').length + 1)
        if (typeof called.name === 'string') call.name += called.name
        if (typeof called.arguments === 'string') call.arguments += called.arguments
        calls.set(piece.index, call)
      }
    }
    if (finish === null) {
      throw streamBrokeOff(usage)
    }
    if (current && finish === 'tool_calls') onToolCall(current)
    const tool_calls = Array.from(calls.values(), ({ id, ...called }) => ({
      id,
      type: 'function',
      function: called,
    }))
    const message = {
      role: 'assistant',
      content: text.join(''),
      refusal: refusal.join('') || null,
      tool_calls,
    }
    return replyOf(message, finish, usage)
  },
}

function replyOf(message: JsonObject, finish: unknown, usage: TokenUsage): Reply {
  const { content, refusal } = message
  return {
    text: textOf(content),
    refusal:
      typeof refusal === 'string' && refusal !== ''
        ? refusal
        : finish === 'content_filter'
          ? filtered
          : undefined,
    isTruncated: finish === 'length',
    usage,
    answer: message,
    said: saidOf(message),
  }
}

/** The members of a message that go back: a server refuses those that it alone may write. */
function saidOf({ content, tool_calls }: JsonObject): JsonObject {
  const hasCalls = Array.isArray(tool_calls) && tool_calls.length > 0
  return { content: content === '' && hasCalls ? null : (content ?? ''), ...(hasCalls && { tool_calls }) }
}

function chatMessages(message: ConversationMessage): JsonObject[] {
  if (message.role === 'said') return [{ role: 'assistant', ...message.said }]
  if (message.role !== 'results') return [{ ...message }]
  return message.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }))
}

function usageOf(usage: unknown): TokenUsage {
  if (!isJsonObject(usage)) return noUsage
  const details = own(usage, 'prompt_tokens_details')
  return {
    in: tokenCount(own(usage, 'prompt_tokens')),
    out: tokenCount(own(usage, 'completion_tokens')),
    cached: tokenCount(isJsonObject(details) ? own(details, 'cached_tokens') : 0),
  }
}

/** The first of the choices; a stream may tell of others in between, where `n` asked for them. */
function firstOf(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.filter(isJsonObject).find(({ index = 0 }) => index === 0)
}

/** Some servers give the text in parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}

function noCompletion(answer: unknown): RequestError {
  return new RequestError('answer_invalid', `The server sent no chat completion: ${briefly(answer)}.`)
}
