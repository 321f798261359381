import type { Outcome } from '../call/outcome.ts'
import type { ErrorData } from '../errors.ts'

/** An Outcome on the wire: the same, with its error as data. */
export type OutcomeJson = Omit<Outcome, 'error'> & { readonly error?: ErrorData }

/** Converts the error of an Outcome to data, without stack and cause. */
export function outcomeJson(outcome: Outcome): OutcomeJson {
  const { error } = outcome
  return error ? { ...outcome, error: error.toJSON() } : (outcome as Outcome & { readonly error?: never })
}
