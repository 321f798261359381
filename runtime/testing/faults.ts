import { CallStream } from '../agent/transport/call-stream.ts'

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

export const faultPlaces: readonly FaultPlace[] = [
  'headers',
  'first-byte',
  'mid-call',
  'between-calls',
  'last-byte',
]

export const wireFaultKinds: readonly WireFaultKind[] = [
  'drop',
  'stall',
  'rate-limit',
  'server-error',
  'garbage',
]

export const saidFaultKinds: readonly SaidFaultKind[] = [
  'refusal',
  'truncation',
  'invalid-json',
  'schema-violation',
]

export const faultKinds: readonly FaultKind[] = [...wireFaultKinds, ...saidFaultKinds]

/** How much of an answer's text comes before a fault; in characters. */
export function textBefore(place: FaultPlace, text: string): number {
  const [start, end] = firstCall(text)
  if (place === 'mid-call') return Math.floor((start + end) / 2)
  if (place === 'between-calls') return end
  return place === 'last-byte' ? text.length : 0
}

/** Where the first Call of the text begins and ends; the middle of the text where it holds none. */
function firstCall(text: string): [start: number, end: number] {
  const calls = new CallStream()
  for (let at = 0; at < text.length; at++) {
    if (calls.push(text.charAt(at)).length > 0) return [text.indexOf('[') + 1, at + 1]
  }
  return [0, Math.floor(text.length / 2)]
}
