import { CallStream } from '../agent/transport/call-stream.ts'
import { lengthOf, type ModelAnswer } from './model-answer.ts'

/** The place of a fault in an answer. */
export type FaultPlace = 'headers' | 'first-byte' | 'mid-call' | 'between-calls' | 'last-byte'

/**
 * Faults of the connection or the server: the connection drops, stalls, the server limits the rate or fails, or sends
 * something that is not an answer. `rate-limit` and `server-error` are sent as an event of a stream, or replace a
 * non-streamed answer.
 */
export type WireFaultKind = 'drop' | 'stall' | 'rate-limit' | 'server-error' | 'garbage'

/**
 * Faults of the model: from the place on it refuses, is cut off at its token limit, writes text that is not JSON, or
 * JSON that the schema does not allow.
 */
export type SaidFaultKind = 'refusal' | 'truncation' | 'invalid-json' | 'schema-violation'

/** A fault of the connection, the server or the model. */
export type FaultKind = WireFaultKind | SaidFaultKind

/** One fault of a model server. */
export interface Fault {
  /** The request it affects, counted from 0. Default: the first. */
  readonly request?: number
  readonly at: FaultPlace
  readonly kind: FaultKind
  /** The `retry-after` header in seconds, for `rate-limit` and `server-error`. */
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

/** Returns how many characters of the answer precede a fault. */
export function saidBefore(place: FaultPlace, answer: ModelAnswer): number {
  const [start, end] = firstCall(answer)
  if (place === 'mid-call') return Math.floor((start + end) / 2)
  if (place === 'between-calls') return end
  return place === 'last-byte' ? lengthOf(answer) : 0
}

/** Returns where the first Call begins and ends; the middle of the text if there is none. */
function firstCall({ text = '', toolCalls: [first] = [] }: ModelAnswer): [start: number, end: number] {
  if (first) return [text.length, text.length + first.arguments.length]
  const calls = new CallStream()
  for (let at = 0; at < text.length; at++) {
    if (calls.push(text.charAt(at)).length > 0) return [text.indexOf('[') + 1, at + 1]
  }
  return [0, Math.floor(text.length / 2)]
}
