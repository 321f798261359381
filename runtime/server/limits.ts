import { CallsheetError } from '../errors.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import { suggest } from '../problems/suggest.ts'

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
  /** Calls of one request: 400. Default: 100. */
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

/** @throws CallsheetError `invalid_options` for a limit that does not exist or is not a positive whole number. */
export function limitsOf(given: Partial<ServerLimits> = {}): ServerLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      const suggestions = nearest(name, Object.keys(defaultLimits))
      const message = `There is no limit "${name}".${suggest(suggestions)}`
      throw new CallsheetError('invalid_options', message, { suggestions })
    }
    if (!Number.isSafeInteger(value) || (value as number) < (name === 'queue' ? 0 : 1)) {
      throw new CallsheetError(
        'invalid_options',
        `The limit "${name}" is a positive whole number, got ${briefly(value)}.`,
      )
    }
  }
  for (const name of Object.keys(defaultLimits)) {
    if (!(name in given) || Object.hasOwn(given, name)) continue
    throw new CallsheetError(
      'invalid_options',
      `The limit "${name}" is inherited. Give it as a member of the object itself.`,
    )
  }
  const { bodyBytes = defaultLimits.bodyBytes } = given
  const heldBytes = Math.max(defaultLimits.heldBytes, 8 * bodyBytes)
  return { ...defaultLimits, heldBytes, ...given }
}
