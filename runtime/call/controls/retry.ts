import type { CallsheetError } from '../../errors.ts'
import { wrongAnswer, yesOrNo } from '../../problems/wrong-answer.ts'
import { isRepeatable } from '../../schema/effects.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import type { Implementation } from '../run/implementation.ts'
import { statusOf } from '../run/make-outcome.ts'
import { prepareAgain } from '../run/prepare-again.ts'
import type { RetryOptions } from '../run-options.ts'
import { Cancellation } from './cancellation.ts'
import { pause } from './pause.ts'

/**
 * Returns true if another attempt may follow. Once an Activity has started, only Tools declared `read` or `idempotent`
 * are repeated, unless the option `allowEffects` is set (TOOL-9). A model's bad answer has had no effects, so it may be
 * repeated, but a delegate may have run Calls.
 */
export function mayRetry(
  retry: RetryOptions,
  prepared: PreparedCall,
  implementation: Implementation,
  error: CallsheetError,
  attempt: number,
): boolean {
  if (attempt >= retry.attempts || statusOf(error) !== 'failed' || error.code === 'timeout') return false
  // The Call's own `_output` would be the same again, and without a model there is nothing to ask.
  if (implementation.mode === 'latent' && (prepared.predicted || error.code === 'no_model')) return false
  const { effects } = prepared.entry.facts
  const onlyAnswers = implementation.mode === 'latent' && !prepared.delegate
  const mayRepeat = isRepeatable(effects) || onlyAnswers
  if (!mayRepeat && !retry.allowEffects) return false
  return retry.when === undefined || isWanted(retry.when, error, attempt)
}

function isWanted(when: NonNullable<RetryOptions['when']>, error: CallsheetError, attempt: number): boolean {
  let answer: unknown
  try {
    answer = when(error, attempt)
  } catch (thrown) {
    throw asError(thrown, '`retry.when` threw')
  }
  return yesOrNo('`retry.when`', answer)
}

/** Waits after a failed attempt, as long as the option `backoff` requires. */
export async function backOff(
  { backoff = 0 }: RetryOptions,
  attempt: number,
  cancellation: Cancellation | undefined,
): Promise<void> {
  const wait = waitAfter(backoff, attempt)
  if (wait > 0) await pause(wait, cancellation ?? new Cancellation())
}

/**
 * Prepares a Call for another attempt.
 *
 * @returns undefined if its Tool was switched off, removed or replaced meanwhile, or its Activity unregistered.
 */
export function forAnotherAttempt(run: CallRun, prepared: PreparedCall): PreparedCall | undefined {
  try {
    return prepareAgain(run, prepared)
  } catch {
    // The Call ends with the error of its last attempt, which says more than this one.
    return undefined
  }
}

/**
 * Returns the milliseconds to wait after a failed attempt.
 *
 * @throws CallError `invalid_options` if the function does not return a number; ActivityError `activity_failed` if it
 * throws.
 */
export function waitAfter(backoff: NonNullable<RetryOptions['backoff']>, attempt: number): number {
  if (typeof backoff === 'number') return backoff
  let wait: unknown
  try {
    wait = backoff(attempt)
  } catch (thrown) {
    throw asError(thrown, '`retry.backoff` threw')
  }
  if (typeof wait === 'number' && !Number.isNaN(wait)) return wait
  throw wrongAnswer('`retry.backoff`', 'milliseconds, at once', wait)
}
