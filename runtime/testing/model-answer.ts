import type { ApiName } from '../agent/transport/reply.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { type FieldRule, flag, fromZero, text } from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'

/** A request to a test model: its body, and the API. */
export interface ModelRequest {
  readonly api: ApiName
  readonly body: JsonObject
}

/** The answer of a test model, independent of the API. */
export interface ModelAnswer {
  readonly text?: string
  readonly refusal?: string
  /** Native tool calls; the arguments are JSON text. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /** Definitions that OpenAI's `tool_search` reveals before the calls. */
  readonly searched?: readonly JsonObject[]
  /** True if the answer stops at the token limit. */
  readonly isTruncated?: boolean
  readonly usage?: { readonly in: number; readonly out: number; readonly cached?: number }
}

const usageRules: OptionRules<NonNullable<ModelAnswer['usage']>> = {
  in: fromZero,
  out: fromZero,
  cached: fromZero,
}

/** Accepts the token counts of an answer. */
export const usageRule: FieldRule = [
  isJsonObject,
  'counts of tokens',
  { rules: usageRules, required: ['in', 'out'] },
]

/** The rules for the properties of an answer: an unknown one would silently have no effect. */
export const answerRules: OptionRules<ModelAnswer> = {
  text,
  refusal: text,
  toolCalls: [Array.isArray, 'a list of { name, arguments }'],
  searched: [Array.isArray, 'a list of definitions'],
  isTruncated: flag,
  usage: usageRule,
}

/** An event of a streamed answer, and how many characters of the text and arguments are sent up to it. */
export interface StreamEvent {
  readonly data: JsonObject
  readonly textSoFar: number
}

/** An answer in pieces: its text, and the arguments of each call. */
export interface AnswerPieces {
  readonly text: readonly string[]
  readonly toolCalls: readonly (readonly string[])[]
}

/** An answer in the format of an API. */
export interface AnswerForm {
  whole(answer: ModelAnswer, model: string): JsonObject
  events(answer: ModelAnswer, model: string, pieces: AnswerPieces): StreamEvent[]
}

/** Counts the characters of an answer: of its text, and of the arguments of its calls. */
export function lengthOf({ text = '', toolCalls = [] }: ModelAnswer): number {
  return toolCalls.reduce((length, call) => length + call.arguments.length, text.length)
}

/** Cuts an answer into pieces of a few characters, and at a given total length. */
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
