import { type FieldRule, isWholeFromZero, type MemberRules } from '../problems/field-rule.ts'

/** What a server takes at the most. What is more is refused with a clear 4xx. */
export interface ServerLimits {
  /** Bytes of a request's body: 413. Default: 1 MiB. */
  readonly bodyBytes: number
  /**
   * Bytes of all bodies in memory, of requests that are read, wait or run: more is 429. Default: 64 MiB, or eight of the largest that
   * `bodyBytes` allows.
   */
  readonly heldBytes: number
  /** Levels of arrays and objects in a body: 400. Default: 64. */
  readonly bodyDepth: number
  /** Milliseconds that a body may take to arrive: 400. Default: 10 seconds. */
  readonly bodyTime: number
  /** Calls of one request: 413. Default: 100. */
  readonly callsPerRequest: number
  /** Calls that run at the same time. Default: 64. */
  readonly concurrency: number
  /** Calls that wait for their turn: one more is 429. Default: 4,096. */
  readonly queue: number
  /** Requests that wait for the Call of one id while it runs: one more is 429. Default: 64. */
  readonly waiters: number
  /** Milliseconds that a Call may run: its Outcome is `timeout`. Default: 60 seconds. */
  readonly callTime: number
  /** Milliseconds that running Calls may take to end when the server closes. Default: 10 seconds. */
  readonly drainTime: number
  /** Milliseconds that `authorize`, or the `store` when it is asked something, may take: 504. Default: 10 seconds. */
  readonly hookTime: number
  /** Connections at a time; one more is closed. Default: 8,192. This and what follows holds where `serveHttp` or `callsheet serve` listens. */
  readonly connections: number
  /** Milliseconds until the head of a request is whole, from the connection or from its first byte: 408. Default: 10 seconds. */
  readonly headTime: number
  /** Milliseconds that a connection may say nothing after an answer. Default: 5 seconds. */
  readonly idleTime: number
  /** Milliseconds in which nothing of an answer is read, after which the connection is closed. Default: 30 seconds. */
  readonly answerTime: number
}

const defaultLimits: ServerLimits = {
  bodyBytes: 1_048_576,
  heldBytes: 67_108_864,
  bodyDepth: 64,
  bodyTime: 10_000,
  callsPerRequest: 100,
  concurrency: 64,
  queue: 4_096,
  waiters: 64,
  callTime: 60_000,
  drainTime: 10_000,
  hookTime: 10_000,
  connections: 8_192,
  headTime: 10_000,
  idleTime: 5_000,
  answerTime: 30_000,
}

const positive: FieldRule = [
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  'a positive whole number',
]

/** What limits must be. */
export const limitRules: MemberRules = {
  rules: {
    ...Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, positive])),
    queue: [isWholeFromZero, 'a whole number from 0'],
  },
  isCopied: true,
}

/** Puts the defaults in place of limits that were not said. */
export function limitsOf(given: Partial<ServerLimits> = {}): ServerLimits {
  const said: Partial<ServerLimits> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  )
  const { bodyBytes = defaultLimits.bodyBytes } = said
  const heldBytes = Math.max(defaultLimits.heldBytes, 8 * bodyBytes)
  return { ...defaultLimits, heldBytes, ...said }
}
