import { CallsheetError } from '../errors.ts'

/** How attempts that failed are repeated; all of it bounded, and counted by the engine. */
export interface RestateRetry {
  /** The most attempts of a Call that fails, the first included; 3 by default. Only Tools declared `read` or `idempotent` are repeated. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt; 100 by default. */
  readonly initial?: number | undefined
  /** By what each wait is longer than the one before; 2 by default. */
  readonly factor?: number | undefined
  /** The longest wait in milliseconds; 10,000 by default. */
  readonly longest?: number | undefined
}

/** What a run on Restate may take. */
export interface RestateLimits {
  readonly retry?: RestateRetry | undefined
  /** The most milliseconds that one attempt of a Call may take, or one Request; ten minutes by default. */
  readonly timeout?: number | undefined
  /**
   * How long the engine tries to reach workers that are gone or die, in attempts with waits of at most ten seconds; 1,000
   * by default, which is more than two hours. Then it pauses the invocation, and says so in its console.
   */
  readonly outage?: number | undefined
}

export type WholeLimits = {
  readonly retry: { readonly [Key in keyof Required<RestateRetry>]: number }
  readonly timeout: number
  readonly outage: number
}

/** @throws CallsheetError `invalid_options` for what bounds nothing. */
export function wholeLimits({ retry = {}, timeout = 600_000, outage = 1000 }: RestateLimits): WholeLimits {
  const { attempts = 3, initial = 100, factor = 2, longest = 10_000 } = retry
  const given = {
    'retry.attempts': attempts,
    'retry.initial': initial,
    'retry.factor': factor,
    'retry.longest': longest,
    timeout,
    outage,
  }
  const problems = Object.entries(given)
    .filter(([, value]) => !(Number.isFinite(value) && value >= 1))
    .map(([name, value]) => `\`${name}\` is ${value}; expected a number from 1`)
  if (problems.length === 0) return { retry: { attempts, initial, factor, longest }, timeout, outage }
  throw new CallsheetError('invalid_options', `The limits cannot be used: ${problems.join('; ')}.`)
}

/** How the engine treats a handler that works for so long, and workers that do not answer. */
export function handlerOptions({ timeout, outage }: WholeLimits): object {
  return {
    // Shorter ones, as the server's own are, would start a long Activity a second time while it still runs.
    inactivityTimeout: timeout + 10_000,
    abortTimeout: timeout + 10_000,
    retryPolicy: {
      initialInterval: 100,
      exponentiationFactor: 2,
      maxInterval: 10_000,
      maxAttempts: outage,
      onMaxAttempts: 'pause',
    },
  }
}

/** How the engine repeats one attempt of a Call. */
export function runOptions({ retry }: WholeLimits): {
  readonly maxRetryAttempts: number
  readonly initialRetryInterval: number
  readonly retryIntervalFactor: number
  readonly maxRetryInterval: number
} {
  return {
    maxRetryAttempts: retry.attempts,
    initialRetryInterval: retry.initial,
    retryIntervalFactor: retry.factor,
    maxRetryInterval: retry.longest,
  }
}
