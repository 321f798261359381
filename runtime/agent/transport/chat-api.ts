import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import { briefly } from '../../problems/problem.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { filtered, streamBrokeOff } from './answer-failures.ts'
import {
  type AnswerListener,
  type ConversationMessage,
  type ModelApi,
  type Reply,
  schemaName,
} from './reply.ts'
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

  async readStream(stream, listener) {
    const answer = new StreamedCompletion(listener)
    for await (const chunk of stream) answer.take(chunk)
    return answer.reply()
  },
}

/** A call of the model's, as far as it has come. */
interface StreamedCall {
  readonly place: unknown
  readonly id: unknown
  name: string
  arguments: string
}

/** A chat completion that comes in chunks. */
class StreamedCompletion {
  readonly #listener: AnswerListener
  readonly #text: string[] = []
  readonly #refusal: string[] = []
  /** By the server's index. */
  readonly #calls = new Map<unknown, StreamedCall>()
  #current: StreamedCall | undefined
  #isInterleaved = false
  #finish: unknown = null
  #usage = noUsage

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /** @throws RequestError `answer_invalid` for what is no chunk of a completion. */
  take(chunk: unknown): void {
    if (!isJsonObject(chunk)) throw noCompletion(chunk)
    if (isJsonObject(own(chunk, 'usage'))) this.#usage = usageOf(own(chunk, 'usage'))
    const choice = firstOf(own(chunk, 'choices'))
    if (!choice) return
    this.#finish = own(choice, 'finish_reason') ?? this.#finish
    const delta = own(choice, 'delta')
    if (!isJsonObject(delta)) return
    const { content, refusal, tool_calls } = delta
    if (typeof refusal === 'string') {
      this.#listener.onGrowth(refusal.length)
      this.#refusal.push(refusal)
    }
    if (typeof content === 'string' && content !== '') {
      this.#listener.onGrowth(content.length)
      this.#text.push(content)
      this.#listener.onText(content)
    }
    if (Array.isArray(tool_calls)) for (const piece of tool_calls.filter(isJsonObject)) this.#growCall(piece)
  }

  #growCall(piece: JsonObject): void {
    const known = this.#calls.get(piece.index)
    const call = known ?? { place: piece.index, id: piece.id, name: '', arguments: '' }
    // One is complete when the next begins. Of a server that goes back to an earlier one, that is known at the end alone.
    if (known && known !== this.#current) this.#isInterleaved = true
    if (this.#current !== call) this.#tellCurrent()
    this.#current = call
    const called = isJsonObject(piece.function) ? piece.function : {}
    this.#listener.onGrowth(String(called.name ?? '').length + String(called.arguments ?? '').length + 1)
    if (typeof called.name === 'string') call.name += called.name
    if (typeof called.arguments === 'string') call.arguments += called.arguments
    this.#calls.set(piece.index, call)
  }

  #tellCurrent(): void {
    if (!this.#current || this.#isInterleaved) return
    const { arguments: given } = this.#current
    // What is no JSON yet may go on after others: the order of those is known at the end alone.
    if (given.trim() !== '' && jsonOr(given, undefined) === undefined) this.#isInterleaved = true
    else this.#listener.onToolCall(this.#current)
  }

  /** @throws RequestError `connection_failed` where the stream ended before the answer did. */
  reply(): Reply {
    if (this.#finish === null) throw streamBrokeOff(this.#usage)
    if (this.#finish === 'tool_calls') this.#tellCurrent()
    const tool_calls = Array.from(this.#calls.values(), ({ id, place, ...called }) => ({
      id,
      type: 'function',
      function: called,
    }))
    const message = {
      role: 'assistant',
      content: this.#text.join(''),
      refusal: this.#refusal.join('') || null,
      tool_calls,
    }
    return replyOf(message, this.#finish, this.#usage)
  }
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
