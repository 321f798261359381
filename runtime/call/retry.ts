import type { CallsheetError } from '../errors.ts'
import type { Implementation } from './implementation.ts'
import { statusOf } from './outcome-of.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RetryOptions } from './run-options.ts'

/**
 * Whether another attempt follows. Only what is declared `read` or `idempotent` is done again once its Activity began,
 * unless the caller says so (TOOL-9); a model that answers badly has done nothing yet.
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
  const repeatable = effects === 'read' || effects === 'idempotent' || implementation.mode === 'latent'
  return (repeatable || (retry.allowEffects ?? false)) && (retry.when?.(error, attempt) ?? true)
}

/** Milliseconds to wait after an attempt. */
export function waitAfter(retry: RetryOptions, attempt: number): number {
  const { backoff = 0 } = retry
  return typeof backoff === 'function' ? backoff(attempt) : backoff
}
