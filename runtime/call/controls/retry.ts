import type { CallsheetError } from '../../errors.ts'
import { wrongAnswer, yesOrNo } from '../../problems/wrong-answer.ts'
import { isRepeatable } from '../../schema/effects.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { asError } from '../call-errors.ts'
import type { Implementation } from '../run/implementation.ts'
import { statusOf } from '../run/make-outcome.ts'
import type { RetryOptions } from '../run-options.ts'
import { Cancellation } from './cancellation.ts'
import { pause } from './pause.ts'

/**
 * Whether another attempt follows. Only what is declared `read` or `idempotent` is done again once its Activity began,
 * unless the caller says so (TOOL-9). A model that answers badly has done nothing yet; a delegate may have run Calls.
 */
export function mayRetry(
  retry: RetryOptions,
  prepared: PreparedCall,
  implementation: Implementation,
  error: CallsheetError,
  attempt: number,
): boolean {
  if (attempt >= retry.attempts || statusOf(error) !== 'failed' || error.code === 'timeout') return false
  // The same answer again, or nobody to ask.
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

/** Waits after an attempt that failed, as long as the options say. */
export async function backOff(
  { backoff = 0 }: RetryOptions,
  attempt: number,
  cancellation: Cancellation | undefined,
): Promise<void> {
  const wait = waitAfter(backoff, attempt)
  if (wait > 0) await pause(wait, cancellation ?? new Cancellation())
}

/**
 * Milliseconds to wait after an attempt that failed.
 *
 * @throws CallError `invalid_options` for a function that answers with something else; what it throws, named.
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
