import { longestWait } from '../call/controls/start-timer.ts'
import { type FieldRule, isWholeFromZero, type MemberRules } from '../problems/field-rule.ts'

/** The limits of a server. Anything beyond is refused with a 4xx status. */
export interface ServerLimits {
  /** Bytes of a request's body: 413. Default: 1 MiB. */
  readonly bodyBytes: number
  /**
   * Bytes of all bodies in memory, of requests being read, waiting or running: beyond, 429. Default: 64 MiB, or eight times
   * `bodyBytes` if that is more.
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
  /** Calls that wait in the queue: beyond, 429. Default: 4,096. */
  readonly queue: number
  /** Requests that wait for a running Call of the same id: beyond, 429. Default: 64. */
  readonly waiters: number
  /** Milliseconds that a Call may run: its Outcome is `timeout`. Default: 60 seconds. */
  readonly callTime: number
  /** Milliseconds that running Calls may take to finish when the server closes. Default: 10 seconds. */
  readonly drainTime: number
  /** Milliseconds that `authorize`, or an operation of the `store`, may take: 504. Default: 10 seconds. */
  readonly hookTime: number
  /**
   * Concurrent connections; further ones are closed. Default: 8,192. This limit and the following ones apply to
   * `serveHttp` and `callsheet serve` only.
   */
  readonly connections: number
  /** Milliseconds until the head of a request is complete, from the connection or its first byte: 408. Default: 10 seconds. */
  readonly headTime: number
  /** Milliseconds that a connection may be idle after a response. Default: 5 seconds. */
  readonly idleTime: number
  /** Milliseconds without progress in sending a response, after which the connection is closed. Default: 30 seconds. */
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

/** The rules for limits. */
export const limitRules: MemberRules = {
  rules: {
    ...Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, positive])),
    queue: [isWholeFromZero, 'a whole number from 0'],
  },
  isCopied: true,
}

/**
 * The longest time, so that `Number.MAX_SAFE_INTEGER` means no limit: timers would run a longer one at once. Node adds
 * a second to `idleTime`.
 */
const longestTime = longestWait - 1_000

/** Fills in the default limits. */
export function limitsOf(given: Partial<ServerLimits> = {}): ServerLimits {
  const said: Partial<ServerLimits> = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, name.endsWith('Time') ? Math.min(value, longestTime) : value]],
    ),
  )
  const { bodyBytes = defaultLimits.bodyBytes } = said
  const heldBytes = Math.max(defaultLimits.heldBytes, 8 * bodyBytes)
  return { ...defaultLimits, heldBytes, ...said }
}
