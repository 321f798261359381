import { ActivityError } from '../errors.ts'
import { ended } from '../problems/problem.ts'

/** Builds the error of a Call that was running, or dispatched, when its run was cancelled. */
export function runCancelled(): ActivityError {
  return new ActivityError('aborted', 'The run was cancelled.')
}

/** Builds the error of a Call that the engine itself gave up. */
export function engineGaveUp(engine: string, why: string): ActivityError {
  return new ActivityError('activity_failed', ended(`${engine} gave up on the Call: ${why}`))
}
