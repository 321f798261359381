import type { Message } from '../../context/message.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { type FieldRule, isString, isWholeFromZero } from '../../problems/field-rule.ts'
import type { ConversationMessage, ToolResult } from '../transport/reply.ts'
import { isSystem, renderContext } from './render-context.ts'

/**
 * One answer with native tool calls, as plain JSON: the model's turn, and which Messages of the context resulted from
 * each call. Used to send the results back as tool results with the call's ids (REQ-6a).
 */
export interface Exchange {
  /** Number of Messages in the context before the answer. */
  readonly at: number
  /** The model's turn, in the API's form. */
  readonly said: JsonObject
  /** The results: every call of the answer has one, as providers require. */
  readonly results: readonly ExchangeResult[]
}

/** The Messages of the context that resulted from one call of the answer. */
export interface ExchangeResult {
  /** The provider's id of the call. */
  readonly id: string
  /** The range of Messages that resulted from the call: first index, and end (exclusive). Equal while the Call waits. */
  readonly from: number
  readonly to: number
}

/** The rule for exchanges, which may come from a stored run. */
export const exchangesRule: FieldRule = [
  (value) => Array.isArray(value) && [...value].every(isExchange),
  'what the model and its Tools said so far, as `suspended.exchanges` was',
]

function isExchange(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { at, said, results } = value
  return isWholeFromZero(at) && isJsonObject(said) && Array.isArray(results) && [...results].every(isResult)
}

function isResult(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, from, to } = value
  return isString(id) && isWholeFromZero(from) && isWholeFromZero(to)
}

/**
 * Renders a context as the messages of a prompt, with the model's native turns in their original form.
 *
 * @param shownBy Returns the provider's names of the Tools that a Message reveals, if the provider defers Tools.
 */
export function renderConversation(
  context: readonly Message[],
  exchanges: readonly Exchange[],
  instructions: string,
  shownBy: (message: Message) => readonly string[] = () => [],
): ConversationMessage[] {
  const [first] = exchanges
  if (!first) return renderContext(context, instructions)
  const beginning = context.slice(0, first.at)
  const conversation: ConversationMessage[] = []
  for (const [index, { at, said, results }] of exchanges.entries()) {
    conversation.push({ role: 'said', said })
    conversation.push({
      role: 'results',
      results: results.map((result) => toolResult(context, result, shownBy)),
    })
    const isResult = (place: number): boolean => results.some(({ from, to }) => place >= from && place < to)
    const end = exchanges[index + 1]?.at ?? context.length
    const others = context.slice(at, end).filter((_, offset) => !isResult(at + offset))
    beginning.push(...others.filter(isSystem))
    conversation.push(...blocksOf(others.filter((message) => !isSystem(message))))
  }
  return [...renderContext(beginning, instructions), ...conversation]
}

function toolResult(
  context: readonly Message[],
  { id, from, to }: ExchangeResult,
  shownBy: (message: Message) => readonly string[],
): ToolResult {
  if (from === to) {
    return { id, content: 'It has not run yet. Its result follows later.', isError: false }
  }
  const messages = context.slice(from, to)
  const content = blocksOf(messages).map((block) => block.content)
  const shows = messages.flatMap(shownBy)
  const isError = messages.some(({ type }) => type === 'error')
  return { id, content: content.join('\n'), isError, ...(shows.length > 0 && { shows }) }
}

/** Renders Messages without instructions before them. */
function blocksOf(messages: readonly Message[]): ReturnType<typeof renderContext> {
  return renderContext(messages, '').filter(({ content }) => content.trim() !== '')
}
