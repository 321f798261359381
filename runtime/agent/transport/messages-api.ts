import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import { RepeatedCalls } from '../../parse/repeated-calls.ts'
import { briefly } from '../../problems/problem.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import { mostUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { noAnswer, serverGaveUp, streamBrokeOff } from './answer-failures.ts'
import { isReadableInput, readableName } from './readable-call.ts'
import type { AnswerListener, ConversationMessage, ModelApi, Reply, ToolResult } from './reply.ts'
import { RequestError } from './request-error.ts'
import { senderOf } from './sender-of.ts'
import { tokenCount } from './token-count.ts'

/** Default of the required token limit: the most that the API answers without a stream. `body: { max_tokens }` overrides it. */
const defaultTokens = 16_384

/** Anthropic's messages: Claude. */
export const messagesApi: ModelApi = {
  native: 'anthropic',

  hasForm: ({ content, tool_calls }) => Array.isArray(content) && tool_calls === undefined,

  sender: (client) => senderOf(client, 'messages'),

  body: ({ model, messages, schema, tools, stream }) => ({
    model,
    max_tokens: defaultTokens,
    ...systemOf(messages),
    messages: turnsOf(messages),
    ...(schema && { output_config: { format: outputFormat(schema) } }),
    ...(tools && { tools }),
    ...(stream && { stream: true }),
  }),

  read(answer) {
    if (!isJsonObject(answer) || !Array.isArray(own(answer, 'content'))) throw noAnswer('message', answer)
    return replyOf(answer, usageOf(own(answer, 'usage')))
  },

  async readStream(stream, listener) {
    const message: { stop_reason: unknown; stop_details?: unknown } = { stop_reason: null }
    let usage = noUsage
    const blocks = new Blocks(listener)
    for await (const event of stream) {
      if (!isJsonObject(event)) throw noAnswer('message', event)
      const { type, index } = event
      switch (type) {
        case 'message_start': {
          const started = own(event, 'message')
          if (isJsonObject(started)) usage = mostUsage(usage, usageOf(own(started, 'usage')))
          listener.onUsage(usage)
          break
        }
        case 'content_block_start':
          blocks.begin(index, own(event, 'content_block'))
          break
        case 'content_block_delta':
          blocks.grow(index, own(event, 'delta'))
          break
        case 'content_block_stop':
          blocks.end(index)
          break
        case 'message_delta': {
          const delta = own(event, 'delta')
          if (isJsonObject(delta)) {
            message.stop_reason = own(delta, 'stop_reason') ?? message.stop_reason
            message.stop_details = own(delta, 'stop_details')
          }
          usage = mostUsage(usage, usageOf(own(event, 'usage')))
          listener.onUsage(usage)
          break
        }
        case 'error':
          throw serverGaveUp(own(event, 'error'), usage)
        case 'message_stop':
          return replyOf({ ...message, content: blocks.content() }, usage)
      }
    }
    throw streamBrokeOff(usage)
  },
}

/** The content blocks of a streamed answer. Deltas for unknown blocks are refused: they would become a Call without arguments. */
class Blocks {
  readonly #listener: AnswerListener
  readonly #open = new Map<unknown, Block>()
  readonly #begun = new Set<unknown>()
  readonly #content: JsonObject[] = []
  readonly #told = new RepeatedCalls()

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  begin(index: unknown, start: unknown): void {
    if (this.#begun.has(index)) throw outOfOrder(`begins block ${briefly(index)} twice`)
    this.#listener.onStored([index, start])
    this.#begun.add(index)
    this.#open.set(index, new Block(index, start, this.#listener, this.#told))
  }

  grow(index: unknown, delta: unknown): void {
    const block = this.#open.get(index)
    if (!block) throw outOfOrder(`continues block ${briefly(index)}, which is not open`)
    block.grow(delta)
  }

  /** Ends a block; has no effect on a block that has ended. */
  end(index: unknown): void {
    const block = this.#open.get(index)
    if (block) this.#content.push(block.end())
    else if (!this.#begun.has(index)) throw outOfOrder(`ends block ${briefly(index)}, which has not begun`)
    this.#open.delete(index)
  }

  /** @throws RequestError `answer_invalid` if a block has not ended. */
  content(): JsonObject[] {
    const [open] = this.#open.keys()
    if (this.#open.size > 0) throw outOfOrder(`ends before its block ${briefly(open)} does`)
    return this.#content
  }
}

/** One content block of a streamed answer. */
class Block {
  readonly #place: unknown
  readonly #start: JsonObject
  readonly #listener: AnswerListener
  /** The calls of the blocks before. */
  readonly #told: RepeatedCalls
  /** The pieces of its deltas, by the property they add to. */
  readonly #pieces = new Map<string, string[]>()
  readonly #citations: unknown[] = []

  constructor(place: unknown, start: unknown, listener: AnswerListener, told: RepeatedCalls) {
    if (!isJsonObject(start)) throw noAnswer('message', start)
    this.#place = place
    this.#start = start
    this.#listener = listener
    this.#told = told
    // Anthropic begins a text empty; others may begin it with its first piece.
    const begun = start.type === 'text' ? start.text : undefined
    if (typeof begun !== 'string' || begun === '') return
    listener.onGrowth(begun.length)
    listener.onText(begun)
  }

  grow(delta: unknown): void {
    if (!isJsonObject(delta)) return
    const { type } = delta
    if (type === 'citations_delta') this.#cite(own(delta, 'citation'))
    const member = typeof type === 'string' ? members[type] : undefined
    const piece = member && own(delta, member[0])
    if (!member || typeof piece !== 'string' || piece === '') return
    this.#listener.onGrowth(piece.length)
    const pieces = this.#pieces.get(member[1])
    if (pieces) pieces.push(piece)
    else this.#pieces.set(member[1], [piece])
    if (type === 'text_delta') this.#listener.onText(piece)
  }

  #cite(citation: unknown): void {
    this.#listener.onGrowth(String(JSON.stringify(citation)).length)
    this.#citations.push(citation)
  }

  end(): JsonObject {
    const { input: started, ...start } = this.#start
    if (this.#citations.length > 0) start.citations = this.#citations
    const { input, ...added } = Object.fromEntries(
      Array.from(this.#pieces, ([member, pieces]) => [member, `${start[member] ?? ''}${pieces.join('')}`]),
    )
    const block = { ...start, ...added }
    if (started === undefined && input === undefined) return block
    // Truncated or malformed arguments stay text, and are refused later.
    const whole = input === undefined ? (started ?? {}) : jsonOr(input, input)
    // Without any piece of its arguments it may be truncated, which is only known at the end.
    if (
      start.type === 'tool_use' &&
      input !== undefined &&
      !this.#told.isRepeated(start.id, whole, start.name)
    ) {
      this.#listener.onToolCall({ place: this.#place, name: start.name, arguments: whole })
    }
    return { ...block, input: whole }
  }
}

/** By the type of a delta: the property with its text, and the property of the block to which that is added. */
const members: Readonly<Record<string, readonly [from: string, to: string]>> = {
  text_delta: ['text', 'text'],
  input_json_delta: ['partial_json', 'input'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
}

function outputFormat(schema: JsonSchema | true): JsonObject {
  if (schema !== true) return { type: 'json_schema', schema }
  const message = "Anthropic's API has no JSON mode. Use { responseFormat: 'text' }, or leave it out."
  throw new RequestError('invalid_options', message)
}

/** The API refuses blank text. */
function systemOf(messages: readonly ConversationMessage[]): { readonly system?: string } {
  const system = messages
    .flatMap((message) => (message.role === 'system' ? [message.content] : []))
    .join('\n\n')
  return system.trim() === '' ? {} : { system }
}

/** Builds the turns of both sides, which must alternate and begin and end with the user's. */
function turnsOf(messages: readonly ConversationMessage[]): JsonObject[] {
  const turns: { role: string; content: JsonObject[] }[] = []
  const add = (role: 'user' | 'assistant', blocks: readonly JsonObject[]): void => {
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: [...blocks] })
  }
  for (const message of messages) {
    if (message.role === 'system') continue
    if (message.role === 'said') add('assistant', saidBlocks(message.said))
    else if (message.role === 'results') add('user', message.results.map(resultBlock))
    else if (message.content.trim() !== '') add(message.role, [{ type: 'text', text: message.content }])
  }
  const goOn = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }
  if (turns[0]?.role !== 'user') turns.unshift(goOn)
  if (turns.at(-1)?.role !== 'user') turns.push(goOn)
  return turns
}

/**
 * Sends the model's blocks back unchanged, thinking included. The API refuses an empty list, empty texts, and arguments
 * that are not an object.
 */
function saidBlocks({ content }: JsonObject): JsonObject[] {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  const given = blocks
    .filter(({ type, text }) => type !== 'text' || (typeof text === 'string' && text.trim() !== ''))
    .map((block) => (block.type === 'tool_use' ? readableUse(block) : block))
  return given.length > 0 ? given : [{ type: 'text', text: '(no answer)' }]
}

function readableUse(block: JsonObject): JsonObject {
  return { ...block, name: readableName(block.name), input: isReadableInput(block.input) ? block.input : {} }
}

/** The result of a search consists of tool references, which the API replaces by the definitions. */
function resultBlock({ id, content, isError, shows }: ToolResult): JsonObject {
  const references = shows?.map((tool_name) => ({ type: 'tool_reference', tool_name }))
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: references ?? content,
    ...(isError && { is_error: true }),
  }
}

function replyOf(answer: JsonObject, usage: TokenUsage): Reply {
  const known = new RepeatedCalls()
  const content = (answer.content as unknown[])
    .filter(isJsonObject)
    .filter((block) => block.type !== 'tool_use' || !known.isRepeated(block.id, block.input, block.name))
  const { stop_reason } = answer
  if (stop_reason === 'pause_turn') {
    const message =
      'The server paused the answer (pause_turn), as it does where its own tools run long, and it is not gone on with. Let them run less often: max_uses.'
    throw new RequestError('answer_truncated', message, { usage })
  }
  const details = own(answer, 'stop_details')
  const why = isJsonObject(details) ? own(details, 'explanation') : undefined
  const texts = content.map((block) =>
    block.type === 'text' && typeof block.text === 'string' ? block.text : '',
  )
  const isRefused = stop_reason === 'refusal'
  return {
    text: texts.join(''),
    texts,
    refusal: isRefused
      ? typeof why === 'string'
        ? why
        : texts.join('') || 'The model gave no reason.'
      : undefined,
    isTruncated: stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded',
    usage,
    answer: { content },
    said: { content: content.map((block) => (block.type === 'tool_use' ? readableUse(block) : block)) },
  }
}

/** Counts tokens written to and read from the cache as input; only those read count as cached. */
function usageOf(usage: unknown): TokenUsage {
  if (!isJsonObject(usage)) return noUsage
  const cached = tokenCount(own(usage, 'cache_read_input_tokens'))
  const written = tokenCount(own(usage, 'cache_creation_input_tokens'))
  return {
    in: tokenCount(own(usage, 'input_tokens')) + cached + written,
    out: tokenCount(own(usage, 'output_tokens')),
    cached,
  }
}

function outOfOrder(what: string): RequestError {
  return new RequestError('answer_invalid', `The server's stream is out of order: its message ${what}.`)
}
