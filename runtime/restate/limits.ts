import { defaultAttempts, defaultTimeout, engineTime, isFromOne } from '../durable/engine-limits.ts'
import { isJsonObject } from '../json/json.ts'
import { count } from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'

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

const retryRules: OptionRules<RestateRetry> = {
  attempts: count,
  initial: engineTime,
  factor: [isFromOne, 'a finite number from 1'],
  longest: engineTime,
}

/** What the limits must be. */
export const restateLimitRules: OptionRules<RestateLimits> = {
  retry: [isJsonObject, 'an object of options', { rules: retryRules }],
  timeout: engineTime,
  outage: count,
}

/** The limits with what is said of none. */
export function wholeLimits({ retry, timeout = defaultTimeout, outage = 1000 }: RestateLimits): WholeLimits {
  const { attempts = defaultAttempts, initial = 100, factor = 2, longest = 10_000 } = retry ?? {}
  return { retry: { attempts, initial, factor, longest }, timeout, outage }
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
