import { asError } from '../call/call-errors.ts'
import type { CallRun } from '../call/call-run.ts'
import type { Outcome } from '../call/outcome.ts'
import { ownOutcome } from '../call/own-outcome.ts'
import type { RegistryState } from '../call/registry-state.ts'
import { failureOf } from '../call/run/branch-error.ts'
import type { RunOptions } from '../call/run-options.ts'
import { appendAll } from '../context/append-all.ts'

/** Appends what a Call adds; a context that refuses it makes the Call a failed one. */
export function appendOutcome(outcome: Outcome, { context }: RunOptions): Outcome {
  if (outcome.appended.length === 0) return outcome
  try {
    appendAll(context, outcome.appended)
    return outcome
  } catch (thrown) {
    const error = asError(thrown, 'The context refused what the Call adds')
    return { ...outcome, status: 'failed', error, appended: [] }
  }
}

/** Appends what a Call adds, and tells those who listen of its Outcome, where that was recorded. */
export function tellOutcome(ended: Outcome, { state, options }: CallRun): Outcome {
  const outcome = appendOutcome(ended, options)
  if (outcome.id !== '') tellEnd(state, outcome)
  return outcome
}

/** Tells those who listen of an Outcome. */
export function tellEnd({ events }: RegistryState, outcome: Outcome): void {
  if (events.has('call:end')) events.emit('call:end', ownOutcome(outcome))
}

/** Appends and tells as well. @throws What kept the Call from giving an output. */
export function outputOrThrow(ended: Outcome, run: CallRun): unknown {
  const outcome = tellOutcome(ended, run)
  const failure = failureOf(outcome)
  if (failure) throw failure
  return outcome.output
}
