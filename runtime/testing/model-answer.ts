import type { ApiName } from '../agent/transport/reply.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { type FieldRule, flag, fromZero, text } from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'

/** What a test model was asked: the body of the request, and through which API. */
export interface ModelRequest {
  readonly api: ApiName
  readonly body: JsonObject
}

/** What a test model says, before it is put into the form of an API. */
export interface ModelAnswer {
  readonly text?: string
  readonly refusal?: string
  /** Calls of the provider's own tools; the arguments are JSON text. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /** Definitions that OpenAI's `tool_search` finds before the calls. */
  readonly searched?: readonly JsonObject[]
  /** The answer stops at the limit of tokens. */
  readonly isTruncated?: boolean
  readonly usage?: { readonly in: number; readonly out: number; readonly cached?: number }
}

const usageRules: OptionRules<NonNullable<ModelAnswer['usage']>> = {
  in: fromZero,
  out: fromZero,
  cached: fromZero,
}

/** The rule of the tokens that an answer counts. */
export const usageRule: FieldRule = [
  isJsonObject,
  'counts of tokens',
  { rules: usageRules, required: ['in', 'out'] },
]

/** What the members of an answer must be: one that nobody reads would silently say nothing. */
export const answerRules: OptionRules<ModelAnswer> = {
  text,
  refusal: text,
  toolCalls: [Array.isArray, 'a list of { name, arguments }'],
  searched: [Array.isArray, 'a list of definitions'],
  isTruncated: flag,
  usage: usageRule,
}

/** One event of a streamed answer, and how much of what the model says has come with it: its text, then the arguments. */
export interface StreamEvent {
  readonly data: JsonObject
  readonly textSoFar: number
}

/** What a model says in an answer, cut up: its text, and the arguments of each call. */
export interface AnswerPieces {
  readonly text: readonly string[]
  readonly toolCalls: readonly (readonly string[])[]
}

/** An answer as one API gives it. */
export interface AnswerForm {
  whole(answer: ModelAnswer, model: string): JsonObject
  events(answer: ModelAnswer, model: string, pieces: AnswerPieces): StreamEvent[]
}

/** How many characters a model says: of its text, and of the arguments of its calls. */
export function lengthOf({ text = '', toolCalls = [] }: ModelAnswer): number {
  return toolCalls.reduce((length, call) => length + call.arguments.length, text.length)
}

/** Cuts up what a model says: every few characters, and where so much of all has been said. */
export function cutUp(answer: ModelAnswer, length: number, place?: number): AnswerPieces {
  const { text = '', toolCalls = [] } = answer
  let said = 0
  const cut = (part: string): string[] => {
    const ends = new Set(place === undefined ? [] : [place - said])
    for (let end = length; end < part.length; end += length) ends.add(end)
    said += part.length
    const sorted = [...ends, part.length]
      .filter((end) => end > 0 && end <= part.length)
      .sort((left, right) => left - right)
    return [...new Set(sorted)].map((end, index, all) => part.slice(all[index - 1] ?? 0, end))
  }
  return { text: cut(text), toolCalls: toolCalls.map((call) => cut(call.arguments)) }
}
