import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { RepeatedCalls } from '../../parse/repeated-calls.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import { noUsage } from '../../tools/token-usage.ts'
import { filtered, noAnswer, serverGaveUp, streamBrokeOff } from './answer-failures.ts'
import { readableArguments, readableName } from './readable-call.ts'
import { type ConversationMessage, type ModelApi, type Reply, schemaName } from './reply.ts'
import { senderOf } from './sender-of.ts'
import { withoutNulls } from './thoughts.ts'
import { countedTokens } from './token-count.ts'

/** OpenAI's Responses API. */
export const responsesApi: ModelApi = {
  native: 'openai-responses',

  hasForm: ({ output }) => Array.isArray(output),

  sender: (client) => senderOf(client, 'responses', true),

  body: ({ model, messages, schema, tools, stream, strict, isStored }) => ({
    model,
    input: messages.flatMap((message) => inputItems(message, isStored)),
    ...(schema && { text: { format: textFormat(schema, strict) } }),
    ...(tools && { tools }),
    ...(stream && { stream: true }),
  }),

  read(answer) {
    if (!isJsonObject(answer) || !Array.isArray(own(answer, 'output'))) throw noAnswer('response', answer)
    return replyOf(answer)
  },

  async readStream(stream, { onText, onToolCall, onGrowth, onStored }) {
    const items = new StreamedItems()
    const told = new RepeatedCalls()
    let isInOrder = true
    /** Characters received since the last item. */
    let received = 0
    for await (const event of stream) {
      if (!isJsonObject(event)) throw noAnswer('response', event)
      const { type, response } = event
      // Empty ones would add pieces without end.
      const delta = event.delta === '' ? undefined : event.delta
      if (type === 'error') throw serverGaveUp(event, noUsage)
      if (typeof delta === 'string') {
        onGrowth(delta.length)
        received += delta.length
      }
      const place = own(event, 'output_index')
      // A place that is no number is kept too.
      if (type === 'response.output_item.done') onStored(event)
      else if (typeof place !== 'number') onStored(place)
      if (typeof delta === 'string') items.grow(type, place, delta)
      if (type === 'response.output_text.delta' && typeof delta === 'string') onText(delta)
      const count = items.count
      const item = type === 'response.output_item.done' ? items.end(place, own(event, 'item')) : undefined
      if (item) {
        // Items may end in another order than that of the answer: from there on, Calls wait until it is complete.
        isInOrder &&= place === undefined || place === count
        // The arguments may come without pieces before.
        if (typeof item.arguments === 'string') onGrowth(Math.max(0, item.arguments.length - received))
        received = 0
        // A truncated call says so, and its arguments may look like none.
        const isCall = item.type === 'function_call' && !isRepeated(item, told)
        if (isInOrder && isCall && item.status !== 'incomplete') {
          onToolCall({ place, name: item.name, arguments: item.arguments })
        }
      }
      const isLast =
        type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed'
      if (isLast) return this.read(items.addTo(response))
    }
    throw streamBrokeOff()
  },
}

/** The items of a streamed response. Some servers send them once only, and end with an empty list. */
class StreamedItems {
  /** By name, so that a repeated event adds nothing. */
  readonly #done = new Map<string, { readonly place: unknown; readonly item: JsonObject }>()
  /** The pieces of arguments, by the place of their call. */
  readonly #arguments = new Map<unknown, string[]>()
  readonly #text: string[] = []

  get count(): number {
    return this.#done.size
  }

  grow(type: unknown, place: unknown, delta: string): void {
    if (type === 'response.output_text.delta') this.#text.push(delta)
    if (type !== 'response.function_call_arguments.delta') return
    const pieces = this.#arguments.get(place)
    if (pieces) pieces.push(delta)
    else this.#arguments.set(place, [delta])
  }

  /** Adds an item, or replaces it. @returns The item; undefined if it is none, or was added before. */
  end(place: unknown, given: unknown): JsonObject | undefined {
    if (!isJsonObject(given)) return undefined
    const name = this.#nameOf(place, given)
    const isNew = !this.#done.has(name)
    const pieces = given.type === 'function_call' && !given.arguments ? this.#arguments.get(place) : undefined
    const item = pieces ? { ...given, arguments: pieces.join('') } : given
    this.#done.set(name, { place, item })
    return isNew ? item : undefined
  }

  /** Some servers give all items one place or one id, so neither alone is enough. */
  #nameOf(place: unknown, item: JsonObject): string {
    const { id, call_id } = item
    const hasId = (id ?? call_id) !== undefined
    if (!hasId && place === undefined) return String(this.#done.size)
    return JSON.stringify(hasId && place !== undefined ? [place, id, call_id] : [place, item])
  }

  /** Adds the items to an answer that has none itself, in the order of the answer. */
  addTo(answer: unknown): unknown {
    if (!isJsonObject(answer)) return answer
    const { output = [] } = answer
    if (!Array.isArray(output) || output.length > 0) return answer
    const placed = Array.from(this.#done.values(), ({ place, item }, index) => ({
      at: typeof place === 'number' ? place : index,
      item,
    }))
    const items = placed.sort((left, right) => left.at - right.at).map(({ item }) => item)
    const text = this.#text.join('')
    if (text !== '' && !items.some(({ type }) => type === 'message')) {
      items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
    }
    return items.length > 0 ? { ...answer, output: items } : answer
  }
}

function replyOf(answer: JsonObject): Reply {
  const usage = countedTokens(own(answer, 'usage'), 'input_tokens', 'output_tokens')
  const { status = 'completed' } = answer
  if (status === 'failed') throw serverGaveUp(own(answer, 'error'), usage)
  if (status !== 'completed' && status !== 'incomplete') throw noAnswer('response', { status })
  const known = new RepeatedCalls()
  const output = (own(answer, 'output') as unknown[]).filter(
    (item) => !(isJsonObject(item) && item.type === 'function_call' && isRepeated(item, known)),
  )
  const messages = output
    .filter(isJsonObject)
    .map((item) => (Array.isArray(item.content) ? item.content.filter(isJsonObject) : []))
  const texts = messages.map((parts) => textsOf(parts, 'output_text', 'text').join(''))
  const details = own(answer, 'incomplete_details')
  const reason = isJsonObject(details) ? details.reason : undefined
  const isIncomplete = answer.status === 'incomplete'
  const isFiltered = isIncomplete && reason === 'content_filter'
  return {
    text: texts.join(''),
    texts,
    refusal: textsOf(messages.flat(), 'refusal', 'refusal').join('') || (isFiltered ? filtered : undefined),
    isTruncated: isIncomplete,
    usage,
    answer: { ...answer, output },
    // An organisation can forbid to store anything; the answer says so.
    said: { output: answer.store === false ? selfContained(output) : output },
  }
}

/** Some servers give a call one of its two ids alone. */
function isRepeated(item: JsonObject, known: RepeatedCalls): boolean {
  const { id, call_id = id, name, arguments: given, status } = item
  return known.isRepeated(call_id, given, name, status === 'incomplete')
}

function textFormat(schema: JsonSchema | true, strict: boolean): JsonObject {
  if (schema === true) return { type: 'json_object' }
  return { type: 'json_schema', name: schemaName, ...(strict && { strict }), schema }
}

function inputItems(message: ConversationMessage, isStored: boolean): JsonObject[] {
  if (message.role === 'said') {
    const { output } = message.said
    if (!Array.isArray(output)) return []
    return (isStored ? output.filter(isJsonObject) : selfContained(output)).map(asInput)
  }
  if (message.role !== 'results') return [{ ...message }]
  return message.results.map(({ id, content }) => ({
    type: 'function_call_output',
    call_id: id,
    output: content,
  }))
}

/**
 * Removes what only a server that stored the answer could look up ("Item with id 'rs_…' not found"): reasoning that is nothing but an
 * id, and the ids of other items. Reasoning with its text or `encrypted_content` goes back unchanged, as OpenAI documents it.
 */
function selfContained(items: readonly unknown[]): JsonObject[] {
  return items.filter(isJsonObject).flatMap((item) => {
    const { id, ...others } = item
    const { type, encrypted_content, content } = others
    if (type !== 'reasoning') return [others]
    return encrypted_content || (Array.isArray(content) && content.length > 0) ? [item] : []
  })
}

/**
 * Returns an item to send back: complete, since vLLM refuses a message without `id` and `status`, but without nulls, which stand for
 * properties that the server never set, and without the status of reasoning, which OpenAI refuses ("Unknown parameter").
 */
function asInput(item: JsonObject): JsonObject {
  const given = withoutNulls(item.type === 'reasoning' ? { ...item, status: null } : item)
  if (item.type !== 'function_call') return given
  return { ...given, name: readableName(item.name), arguments: readableArguments(item.arguments) }
}

function textsOf(parts: readonly JsonObject[], type: string, member: string): string[] {
  return parts.flatMap((part) => {
    const text = part.type === type ? part[member] : undefined
    return typeof text === 'string' ? [text] : []
  })
}
