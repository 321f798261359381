import type { DispatchPolicy } from '../agent/loop/executor.ts'
import { hintIfLost } from '../call/hint-if-lost.ts'
import { ActivityError } from '../errors.ts'
import { ended } from '../problems/problem.ts'

/** Builds the error of a Call that was running, or dispatched, when its run was cancelled. */
export function runCancelled(): ActivityError {
  return new ActivityError('aborted', 'The run was cancelled.')
}

/** Builds the error of a step that the engine itself gave up: a Call may have run. */
export function engineGaveUp(engine: string, why: string, policy: DispatchPolicy): ActivityError {
  const hint = policy.kind === 'call' ? hintIfLost(policy.effects) : ''
  return new ActivityError('activity_failed', ended(`${engine} gave up on the Call: ${why}`) + hint)
}
