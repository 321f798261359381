import type { Message } from '../../context/message.ts'
import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { type FieldRule, isString, isWholeFromZero } from '../../problems/field-rule.ts'
import type { ConversationMessage, ToolResult } from '../transport/reply.ts'
import { renderContext } from './render-context.ts'

/**
 * One answer that called the provider's own tools, as plain JSON: what the model said, and which Messages of the context
 * came of each call. So its results go back as tool results with its ids (REQ-6a).
 */
export interface Exchange {
  /** How many Messages the context had before the answer. */
  readonly at: number
  /** What the model said, in the form of the API. */
  readonly said: JsonObject
  /** Every call of the answer has a result, as the providers want it. */
  readonly results: readonly ExchangeResult[]
}

/** Which Messages of the context came of one call of the model's answer. */
export interface ExchangeResult {
  /** The provider's id of the call. */
  readonly id: string
  /** The Messages that came of the call: from the one, up to but without the other. Equal while it waits. */
  readonly from: number
  readonly to: number
}

/** The rule of the exchanges of a run, which may have been stored in between. */
export const exchangesRule: FieldRule = [
  (value) => Array.isArray(value) && value.every(isExchange),
  'what the model and its Tools said so far, as `suspended.exchanges` was',
]

function isExchange(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { at, said, results } = value
  return isWholeFromZero(at) && isJsonObject(said) && Array.isArray(results) && results.every(isResult)
}

function isResult(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, from, to } = value
  return isString(id) && isWholeFromZero(from) && isWholeFromZero(to)
}

/**
 * Writes a context as the messages of a prompt, what the model said in native turns in its own words.
 *
 * @param shownBy The provider's names of the Tools that a Message shows, where the provider keeps Tools back.
 */
export function renderConversation(
  context: readonly Message[],
  exchanges: readonly Exchange[],
  instructions: string,
  shownBy: (message: Message) => readonly string[] = () => [],
): ConversationMessage[] {
  const [first] = exchanges
  if (!first) return renderContext(context, instructions)
  const conversation: ConversationMessage[] = renderContext(context.slice(0, first.at), instructions)
  for (const [index, { at, said, results }] of exchanges.entries()) {
    conversation.push({ role: 'said', said })
    conversation.push({
      role: 'results',
      results: results.map((result) => toolResult(context, result, shownBy)),
    })
    const isResult = (place: number): boolean => results.some(({ from, to }) => place >= from && place < to)
    const end = exchanges[index + 1]?.at ?? context.length
    const others = context.slice(at, end).filter((_, offset) => !isResult(at + offset))
    conversation.push(...blocksOf(others))
  }
  return conversation
}

function toolResult(
  context: readonly Message[],
  { id, from, to }: ExchangeResult,
  shownBy: (message: Message) => readonly string[],
): ToolResult {
  if (from === to) {
    return { id, content: 'It has not run yet. What comes of it follows below, later.', isError: false }
  }
  const messages = context.slice(from, to)
  const content = blocksOf(messages).map((block) => block.content)
  const shows = messages.flatMap(shownBy)
  const isError = messages.some(({ type }) => type === 'error')
  return { id, content: content.join('\n'), isError, ...(shows.length > 0 && { shows }) }
}

/** Messages of a context without instructions before them. */
function blocksOf(messages: readonly Message[]): ReturnType<typeof renderContext> {
  return renderContext(messages, '').filter(({ content }) => content.trim() !== '')
}
