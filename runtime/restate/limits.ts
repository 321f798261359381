import type { ActivityRequest } from '../durable/activity-request.ts'
import { defaultAttempts, defaultTimeout, engineTime, isFromOne } from '../durable/engine-limits.ts'
import { bytesOf, type EngineRecord, sentCallName, tooLarge } from '../durable/keep-outcome.ts'
import { CallError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { count } from '../problems/field-rule.ts'
import { handOn } from '../problems/handed-on.ts'
import type { OptionRules } from '../problems/option-problems.ts'
import type { RestateContext } from './sdk.ts'

/** A server accepts messages of 32 MiB, including the engine's own data. */
const mostBytes = 32_000_000

/** Most bytes of a Call that is sent, with the context that it sees: its Outcome repeats it, and both have to fit together. */
const mostRequestBytes = 15_000_000

/**
 * Returns what an invocation can record. By default a server gives it memory for one message of the largest size, and holds its input
 * there as well: beyond that it stops, without an error.
 */
export function restateRecord(ctx: RestateContext): EngineRecord {
  const { body } = ctx.request()
  return { engine: 'Restate', mostBytes: mostBytes - (body?.length ?? 0) }
}

/** @throws CallError `invalid_call` for a request that is too large to be sent. */
export function requireSmallRequest(request: ActivityRequest): void {
  const bytes = bytesOf(request, mostRequestBytes)
  if (bytes <= mostRequestBytes) return
  const record = { engine: 'Restate', mostBytes: mostRequestBytes }
  const text = tooLarge(sentCallName(request.call), bytes, record)
  throw handOn(new CallError('invalid_call', `${text}.`))
}

/** How failed attempts are retried; bounded, and counted by the engine. */
export interface RestateRetry {
  /** Most attempts of a failing Call, including the first. Only Tools declared `read` or `idempotent` are retried. Default: 3. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt. Default: 100. */
  readonly initial?: number | undefined
  /** The factor by which each wait exceeds the previous one. Default: 2. */
  readonly factor?: number | undefined
  /** Longest wait, in milliseconds. Default: 10,000. */
  readonly longest?: number | undefined
}

/** The limits of a run on Restate. */
export interface RestateLimits {
  readonly retry?: RestateRetry | undefined
  /** Longest attempt of a Call, or Request, in milliseconds. Default: ten minutes. */
  readonly timeout?: number | undefined
  /**
   * How often the engine tries to reach missing or dying workers, with waits of at most ten seconds. Then it pauses the invocation,
   * and shows that in its console. Default: 1,000 attempts, more than two hours.
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

/** The rules for the limits. */
export const restateLimitRules: OptionRules<RestateLimits> = {
  retry: [isJsonObject, 'an object of options', { rules: retryRules }],
  timeout: engineTime,
  outage: count,
}

/** Fills in the default limits. */
export function withDefaultLimits({
  retry,
  timeout = defaultTimeout,
  outage = 1000,
}: RestateLimits): WholeLimits {
  const { attempts = defaultAttempts, initial = 100, factor = 2, longest = 10_000 } = retry ?? {}
  return { retry: { attempts, initial, factor, longest }, timeout, outage }
}

/** Returns the engine's settings for a handler: its timeouts, and the retries for workers that do not respond. */
export function handlerOptions({ timeout, outage }: WholeLimits): object {
  return {
    // With shorter timeouts, such as the server's defaults, a long Activity would be started again while it still runs.
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

/** Returns the engine's retry policy for a Call. */
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
