import { CallStream } from '../agent/transport/call-stream.ts'
import { lengthOf, type ModelAnswer } from './model-answer.ts'

/** Where in an answer something goes wrong. */
export type FaultPlace = 'headers' | 'first-byte' | 'mid-call' | 'between-calls' | 'last-byte'

/**
 * What goes wrong on the way: the connection drops, nothing more comes, the server limits the rate or fails, or sends
 * what is not an answer. Once the status has been sent, a stream says the middle two in an event; an answer that does not
 * stream is replaced by them as a whole.
 */
export type WireFaultKind = 'drop' | 'stall' | 'rate-limit' | 'server-error' | 'garbage'

/**
 * What goes wrong in what the model says: from the place on it refuses, is cut off at its limit of tokens, says what is
 * no JSON, or JSON that the schema does not allow.
 */
export type SaidFaultKind = 'refusal' | 'truncation' | 'invalid-json' | 'schema-violation'

/** What goes wrong, on the way or in what the model says. */
export type FaultKind = WireFaultKind | SaidFaultKind

/** One fault of a model server. */
export interface Fault {
  /** Which request it happens to, from 0; the first by default. */
  readonly request?: number
  readonly at: FaultPlace
  readonly kind: FaultKind
  /** Seconds of the header `retry-after`, for `rate-limit` and `server-error`. */
  readonly retryAfter?: number
}

/** Every {@link FaultPlace}, for tests of each. */
export const faultPlaces: readonly FaultPlace[] = [
  'headers',
  'first-byte',
  'mid-call',
  'between-calls',
  'last-byte',
]

/** Every {@link WireFaultKind}. */
export const wireFaultKinds: readonly WireFaultKind[] = [
  'drop',
  'stall',
  'rate-limit',
  'server-error',
  'garbage',
]

/** Every {@link SaidFaultKind}. */
export const saidFaultKinds: readonly SaidFaultKind[] = [
  'refusal',
  'truncation',
  'invalid-json',
  'schema-violation',
]

/** Every {@link FaultKind}. */
export const faultKinds: readonly FaultKind[] = [...wireFaultKinds, ...saidFaultKinds]

/** How much of what a model says comes before a fault; in characters. */
export function saidBefore(place: FaultPlace, answer: ModelAnswer): number {
  const [start, end] = firstCall(answer)
  if (place === 'mid-call') return Math.floor((start + end) / 2)
  if (place === 'between-calls') return end
  return place === 'last-byte' ? lengthOf(answer) : 0
}

/** Where the first Call begins and ends; the middle of the text where there is none. */
function firstCall({ text = '', toolCalls: [first] = [] }: ModelAnswer): [start: number, end: number] {
  if (first) return [text.length, text.length + first.arguments.length]
  const calls = new CallStream()
  for (let at = 0; at < text.length; at++) {
    if (calls.push(text.charAt(at)).length > 0) return [text.indexOf('[') + 1, at + 1]
  }
  return [0, Math.floor(text.length / 2)]
}
