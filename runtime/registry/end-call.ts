import { asError } from '../call/call-errors.ts'
import type { CallRun } from '../call/call-run.ts'
import type { Outcome } from '../call/outcome.ts'
import { ownOutcome } from '../call/own-outcome.ts'
import type { RegistryState } from '../call/registry-state.ts'
import { failureOf } from '../call/run/branch-error.ts'
import type { RunOptions } from '../call/run-options.ts'
import { appendAll } from '../context/append-all.ts'

/** Appends the Messages of an Outcome to the context. If the context refuses them, the returned Outcome has failed. */
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

/** Appends the Messages of an Outcome, and emits `call:end` if the Outcome was recorded (it has an id). */
export function finishWithOutcome(ended: Outcome, { state, options }: CallRun): Outcome {
  const outcome = appendOutcome(ended, options)
  if (outcome.id !== '') emitCallEnd(state, outcome)
  return outcome
}

/** Emits `call:end` with a copy of the Outcome. */
export function emitCallEnd({ events }: RegistryState, outcome: Outcome): void {
  if (events.has('call:end')) events.emit('call:end', ownOutcome(outcome))
}

/** Does the same and returns the output. @throws The error of the Call, or a BranchError if it has no output. */
export function finishWithOutput(ended: Outcome, run: CallRun): unknown {
  const outcome = finishWithOutcome(ended, run)
  const failure = failureOf(outcome)
  if (failure) throw failure
  return outcome.output
}
