import { ActivityError } from '../errors.ts'
import { ended } from '../problems/problem.ts'

/** The error of what was under way, or came, when its run was cancelled. */
export function runCancelled(): ActivityError {
  return new ActivityError('aborted', 'The run was cancelled.')
}

/** The error of a Call that an engine itself has given up. */
export function givenUp(engine: string, why: string): ActivityError {
  return new ActivityError('activity_failed', ended(`${engine} gave the Call up: ${why}`))
}
