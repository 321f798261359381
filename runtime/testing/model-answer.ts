import type { ApiName } from '../agent/transport/reply.ts'
import type { JsonObject } from '../json/json.ts'

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

/** One event of a streamed answer, and how much of the answer's text has come with it. */
export interface StreamEvent {
  readonly data: JsonObject
  readonly textSoFar: number
}

/** An answer as one API gives it. */
export interface AnswerForm {
  whole(answer: ModelAnswer, model: string): JsonObject
  /** @param pieces The answer's text, cut up. */
  events(answer: ModelAnswer, model: string, pieces: readonly string[]): StreamEvent[]
}

/** Cuts a text up: every few characters, and at the given places. */
export function cutUp(text: string, length: number, places: readonly number[]): string[] {
  const ends = new Set(places)
  for (let end = length; end < text.length; end += length) ends.add(end)
  const sorted = [...ends, text.length]
    .filter((end) => end > 0 && end <= text.length)
    .sort((left, right) => left - right)
  return [...new Set(sorted)].map((end, index, all) => text.slice(all[index - 1] ?? 0, end))
}
