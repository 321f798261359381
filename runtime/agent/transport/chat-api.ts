import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import { mostUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { filtered, noAnswer, serverGaveUp, streamBrokeOff } from './answer-failures.ts'
import { readableArguments, readableName } from './readable-call.ts'
import {
  type AnswerListener,
  type ConversationMessage,
  type ModelApi,
  type Reply,
  schemaName,
} from './reply.ts'
import { RequestError } from './request-error.ts'
import { senderOf } from './sender-of.ts'
import { growThoughts, thoughtsOf } from './thoughts.ts'
import { tokenCount, tokensOut } from './token-count.ts'

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

/** A tool call of the model, as far as received. */
interface StreamedCall {
  readonly place: unknown
  readonly id: unknown
  name: string
  /** Its arguments, or the input of a custom call. */
  arguments: string
  /** True for a call of a custom tool, whose input is any text. */
  isCustom: boolean
  /** True if pieces of another call were mixed in, so that it can never be complete. */
  isMixed: boolean
  readonly thoughts: JsonObject
}

/**
 * True if a piece begins another call under an index in use: Ollama and Gemini have used the same index for all calls, each sent
 * whole. A new id is no sign, since vLLM has made one for every piece. An incomplete call cannot be followed by another under its
 * index, and an identical piece may be a repetition. Where there are no ids, arguments that go on after they are complete show it.
 */
function isOther(call: StreamedCall, id: unknown, name: unknown, given: unknown): boolean {
  if (typeof name !== 'string' || name === '' || (isId(id) && id === call.id)) return false
  if (!isId(id) && (isId(call.id) || typeof given !== 'string' || given.trim() === '')) return false
  if (call.isMixed || (name === call.name && given === call.arguments)) return false
  // Checked once: if a server sends id and name with every piece, the text so far would otherwise be parsed for each.
  const isWhole = jsonOr(call.arguments, undefined) !== undefined
  call.isMixed = !isWhole && call.arguments !== ''
  return isWhole
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}

/** True if a server repeats the name of a call with every piece: then it is not another part of the name. */
function isSaidAgain(call: StreamedCall, id: unknown, name: string): boolean {
  return name === call.name && (!isId(id) || id === call.id)
}

/**
 * Recognises a tool call that a server says twice with all that it has, its id too: one Call, which must not run twice. Equal ids of
 * different calls say nothing, since some servers give all calls of an answer one id.
 */
class Identified {
  readonly #seen = new Set<string>()

  isNew(call: JsonObject): boolean {
    const text = JSON.stringify({ ...call, index: undefined })
    const isNew = !isId(call.id) || !this.#seen.has(text)
    this.#seen.add(text)
    return isNew
  }
}

/** A chat completion that arrives in chunks. */
class StreamedCompletion {
  readonly #listener: AnswerListener
  readonly #text: string[] = []
  readonly #refusal: string[] = []
  readonly #thoughts: JsonObject = {}
  readonly #calls: StreamedCall[] = []
  /** The newest call under each of the server's indexes. */
  readonly #byIndex = new Map<unknown, StreamedCall>()
  #current: StreamedCall | undefined
  /** The call under `function_call`, the name from before there were several. */
  #legacy: { name: string; arguments: string } | undefined
  #isInterleaved = false
  readonly #told = new Identified()
  #finish: unknown = null
  #usage = noUsage
  /** True after the chunk that reports the tokens of the whole answer, and nothing else: the server sends it last. */
  #isCounted = false

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /** @throws RequestError `answer_invalid` if it is not a chunk of a completion. */
  take(chunk: unknown): void {
    if (!isJsonObject(chunk)) throw noAnswer('chat completion', chunk)
    this.#usage = mostUsage(this.#usage, usageOf(own(chunk, 'usage')))
    this.#listener.onUsage(this.#usage)
    const choice = firstOf(own(chunk, 'choices'))
    if (!choice) {
      // The client reports errors itself, but a caller's own client may pass them on.
      if (isJsonObject(own(chunk, 'error'))) throw serverGaveUp(chunk.error, this.#usage)
      this.#isCounted ||= isJsonObject(own(chunk, 'usage'))
      return
    }
    this.#isCounted = false
    // Some servers send an empty reason until there is one.
    this.#finish = own(choice, 'finish_reason') || this.#finish
    requireUsableEnd(this.#finish, own(choice, 'error'), this.#usage)
    // Some proxies send a whole answer as the only chunk.
    const delta = own(choice, 'delta') ?? own(choice, 'message')
    if (!isJsonObject(delta)) return
    const { tool_calls, function_call } = delta
    const content = textOf(delta.content)
    const refusal = refusalOf(delta)
    if (refusal !== '') {
      this.#listener.onGrowth(refusal.length)
      this.#refusal.push(refusal)
    }
    if (content !== '') {
      this.#listener.onGrowth(content.length)
      this.#text.push(content)
      this.#listener.onText(content)
    }
    this.#think(this.#thoughts, delta)
    if (Array.isArray(tool_calls)) for (const piece of tool_calls.filter(isJsonObject)) this.#growCall(piece)
    if (isJsonObject(function_call)) this.#growLegacy(function_call)
  }

  #think(thoughts: JsonObject, piece: JsonObject): void {
    this.#listener.onGrowth(growThoughts(thoughts, piece))
  }

  #growLegacy({ name, arguments: given }: JsonObject): void {
    const legacy = this.#legacy ?? { name: '', arguments: '' }
    this.#legacy = legacy
    this.#listener.onGrowth(String(name ?? '').length + String(given ?? '').length + 1)
    if (typeof name === 'string' && name !== legacy.name) legacy.name += name
    if (typeof given === 'string') legacy.arguments += given
  }

  #growCall(piece: JsonObject): void {
    const known = this.#byIndex.get(piece.index) ?? this.#begunAs(piece)
    const custom = isJsonObject(piece.custom) ? { ...piece.custom, arguments: piece.custom.input } : undefined
    const { name, arguments: given }: JsonObject = isJsonObject(piece.function)
      ? piece.function
      : (custom ?? {})
    const text = isJsonObject(given) ? JSON.stringify(given) : given
    const call = known && !isOther(known, piece.id, name, text) ? known : this.#begin(piece)
    // A call is complete when the next one begins. If a server returns to an earlier one, that is only known at the end.
    if (call === known && known !== this.#current) this.#isInterleaved = true
    if (this.#current !== call) this.#tellCurrent()
    this.#current = call
    call.isCustom ||= custom !== undefined
    this.#listener.onGrowth(String(name ?? '').length + String(text ?? '').length + 1)
    if (typeof name === 'string' && !isSaidAgain(call, piece.id, name)) call.name += name
    if (typeof text === 'string') {
      // Translations of Claude's stream begin with the empty input of its first event: envoyproxy/ai-gateway#1465.
      call.arguments = call.arguments === '{}' && text.startsWith('{') ? text : call.arguments + text
    }
    this.#think(call.thoughts, piece)
  }

  /** Returns the current call if a piece begins it again under another index, before it has arguments: LocalAI does (mudler/LocalAI#9722). */
  #begunAs({ index, id, function: called }: JsonObject): StreamedCall | undefined {
    const current = this.#current
    if (!current || !isId(id) || id !== current.id || current.arguments !== '') return undefined
    if (!isJsonObject(called) || (called.name && called.name !== current.name)) return undefined
    this.#byIndex.set(index, current)
    return current
  }

  #begin({ index, id }: JsonObject): StreamedCall {
    this.#listener.onStored([index, id])
    const call = { place: index, id, name: '', arguments: '', isCustom: false, isMixed: false, thoughts: {} }
    this.#calls.push(call)
    this.#byIndex.set(index, call)
    return call
  }

  #tellCurrent(): void {
    if (!this.#current || this.#current.isCustom || this.#isInterleaved) return
    const { id, name, arguments: given } = this.#current
    // A call that is not JSON yet may continue after others, so their order is only known at the end.
    if (given.trim() !== '' && jsonOr(given, undefined) === undefined) this.#isInterleaved = true
    else if (this.#told.isNew({ id, name, given })) this.#listener.onToolCall(this.#current)
  }

  /**
   * True if a stream without a finish reason is complete all the same. NVIDIA's NIM and proxies for Gemini and DeepSeek send none:
   * earendil-works/pi#5793, openclaw/openclaw#97994.
   */
  #isWhole(): boolean {
    if (!this.#isCounted && !this.#listener.isClosed()) return false
    const areWhole = this.#calls.every(
      (call) => call.isCustom || jsonOr(call.arguments, undefined) !== undefined,
    )
    return areWhole && (this.#calls.length > 0 || this.#text.length > 0 || this.#refusal.length > 0)
  }

  /** @throws RequestError `connection_failed` if the stream ended before the answer was complete. */
  reply(): Reply {
    if (this.#finish === null && !this.#isWhole()) throw streamBrokeOff(this.#usage)
    if (this.#finish === 'tool_calls') this.#tellCurrent()
    const tool_calls = this.#calls.map(({ id, name, arguments: given, isCustom, thoughts }) => ({
      id,
      ...(isCustom
        ? { type: 'custom', custom: { name, input: given } }
        : { type: 'function', function: { name, arguments: given } }),
      ...thoughts,
    }))
    const message = {
      role: 'assistant',
      content: this.#text.join(''),
      refusal: this.#refusal.join('') || null,
      tool_calls,
      ...(this.#legacy && { function_call: this.#legacy }),
      ...this.#thoughts,
    }
    return replyOf(message, this.#finish, this.#usage)
  }
}

/**
 * Refuses answers with a server's own finish reason for a failure: DeepSeek, GLM and vLLM have some, and Gemini has one
 * for a call that it could not read itself.
 */
function requireUsableEnd(finish: unknown, error: unknown, usage: TokenUsage): void {
  const reason = String(finish)
  if (/^(?:error|abort|network_error|insufficient_system_resource)$/.test(reason)) {
    throw serverGaveUp(error ?? reason, usage)
  }
  if (/malformed_function_call/i.test(reason)) {
    const message = 'The model wrote a tool call that its own server could not read.'
    throw new RequestError('answer_invalid', message, { usage })
  }
}

function responseFormat(schema: JsonSchema | true, strict: boolean): JsonObject {
  if (schema === true) return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name: schemaName, ...(strict && { strict }), schema } }
}

/** The finish reasons of a content filter: of OpenAI, GLM and Gemini. */
function isFiltered(finish: unknown): boolean {
  return /content_filter|sensitive|safety|recitation|blocklist|prohibited_content|spii/i.test(String(finish))
}

function replyOf(given: JsonObject, finish: unknown, usage: TokenUsage): Reply {
  const known = new Identified()
  const { tool_calls } = given
  const message = Array.isArray(tool_calls)
    ? { ...given, tool_calls: tool_calls.filter((call) => !isJsonObject(call) || known.isNew(call)) }
    : given
  return {
    text: textOf(message.content),
    refusal: refusalOf(message) || (isFiltered(finish) ? filtered : undefined),
    // The second is Mistral's, for the end of the model's context.
    isTruncated: finish === 'length' || finish === 'model_length',
    usage,
    // Some servers omit the role, which marks the message as the assistant's.
    answer: { role: 'assistant', ...message },
    said: saidOf(message),
  }
}

/** The properties of a message that are sent back: servers refuse those that only they may set. */
function saidOf(message: JsonObject): JsonObject {
  const { content, tool_calls } = message
  const calls = Array.isArray(tool_calls) ? tool_calls.flatMap(readableCall) : []
  const hasCalls = calls.length > 0
  return {
    content: content === '' && hasCalls ? null : (content ?? ''),
    ...(hasCalls && { tool_calls: calls }),
    ...thoughtsOf(message),
  }
}

/** Returns a call to send back; nothing for an entry that calls no function, which would have no result. */
function readableCall(call: unknown): JsonObject[] {
  if (!isJsonObject(call)) return []
  const called = own(call, 'function')
  if (!isJsonObject(called)) return isJsonObject(own(call, 'custom')) ? [call] : []
  const { name, arguments: given } = called
  const readable = { ...called, name: readableName(name), arguments: readableArguments(given) }
  // Some servers leave out the type, without which a call is refused.
  return [{ ...call, type: 'function', function: readable }]
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

function usageOf(usage: unknown): TokenUsage {
  if (!isJsonObject(usage)) return noUsage
  const details = own(usage, 'prompt_tokens_details')
  const sent = own(usage, 'prompt_tokens')
  return {
    in: tokenCount(sent),
    out: tokensOut(own(usage, 'completion_tokens'), sent, own(usage, 'total_tokens')),
    cached: tokenCount(isJsonObject(details) ? own(details, 'cached_tokens') : 0),
  }
}

/** Returns the first choice; with `n`, the chunks of others may be in between. Some servers number them in text. */
function firstOf(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  return choices.filter(isJsonObject).find(({ index }) => Number(index ?? 0) === 0)
}

/** Joins the text, which some servers send in parts. */
function textOf(content: unknown): string {
  return typeof content === 'string' ? content : partsOf(content, 'text')
}

/** Returns the model's refusal, which some servers send as a part of the content. */
function refusalOf({ refusal, content }: JsonObject): string {
  return typeof refusal === 'string' && refusal !== '' ? refusal : partsOf(content, 'refusal')
}

function partsOf(content: unknown, member: 'text' | 'refusal'): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map((part) => (typeof part[member] === 'string' ? part[member] : '')).join('')
}
