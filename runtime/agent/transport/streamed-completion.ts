import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import { isId, RepeatedCalls } from '../../parse/repeated-calls.ts'
import { mostUsage, noUsage } from '../../tools/token-usage.ts'
import { noAnswer, serverGaveUp, streamBrokeOff } from './answer-failures.ts'
import { firstOf, refusalOf, replyOf, requireUsableEnd, textOf, usageOf } from './completion.ts'
import type { AnswerListener, Reply } from './reply.ts'
import { growThoughts } from './thoughts.ts'

/** A tool call of the model, as far as received. */
interface StreamedCall {
  readonly place: unknown
  id: unknown
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
 * index, and an identical piece may be a repetition. Where there are no ids, arguments that go on after they are complete show it. A
 * call without a name gets its own, since some servers send that, and the id, after the first arguments.
 */
function isOther(call: StreamedCall, id: unknown, name: unknown, given: unknown): boolean {
  if (typeof name !== 'string' || name === '' || call.name === '' || (isId(id) && id === call.id))
    return false
  if (!isId(id) && (isId(call.id) || typeof given !== 'string' || given.trim() === '')) return false
  if (call.isMixed || (name === call.name && given === call.arguments)) return false
  // Checked once: if a server sends id and name with every piece, the text so far would otherwise be parsed for each.
  const isWhole = jsonOr(call.arguments, undefined) !== undefined
  call.isMixed = !isWhole && call.arguments !== ''
  return isWhole
}

/** True if a server repeats the name of a call with every piece: then it is not another part of the name. */
function isSaidAgain(call: StreamedCall, id: unknown, name: string): boolean {
  return name === call.name && (!isId(id) || id === call.id)
}

/**
 * True for arguments that are complete and sent once more, as some servers do at the end. Where there are no ids, a name may begin
 * another call.
 */
function isWholeAgain(call: StreamedCall, name: unknown, text: string): boolean {
  const isAlike = text === call.arguments && text.startsWith('{') && text !== '{}'
  return isAlike && (isId(call.id) || !name) && jsonOr(text, undefined) !== undefined
}

/** A chat completion that arrives in chunks. */
export class StreamedCompletion {
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
  readonly #told = new RepeatedCalls()
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
    if (!isId(call.id)) call.id = piece.id
    this.#listener.onGrowth(String(name ?? '').length + String(text ?? '').length + 1)
    if (typeof name === 'string' && !isSaidAgain(call, piece.id, name)) call.name += name
    if (typeof text === 'string' && !isWholeAgain(call, name, text)) {
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
    else if (!this.#told.isRepeated(id, given, name)) this.#listener.onToolCall(this.#current)
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
