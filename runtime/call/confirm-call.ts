import type { Call } from '../context/message.ts'
import { ActivityError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RunOptions } from './run-options.ts'

/**
 * Asks whether a Call may run (REQ-9).
 *
 * @param ask Waits for the answer, and no longer than the Call may take.
 * @returns What to run in its place; undefined where it is approved.
 * @throws ActivityError `refused`.
 */
export async function replacementOf(
  { implementation, entry, resolved, context }: PreparedCall,
  id: string,
  confirm: NonNullable<RunOptions['confirm']>,
  ask: <Answer>(answer: Answer | PromiseLike<Answer>) => Answer | PromiseLike<Answer>,
): Promise<{ readonly replace: Call } | undefined> {
  const info = {
    id,
    tool: entry.schema,
    mode: implementation.mode,
    context: copyJson(context),
    ...(implementation.mode === 'explicit' && { activity: implementation.activity }),
  }
  // Copies, since what has been checked must be what runs.
  const answer = await ask(confirm(copyJson(resolved), info))
  if (answer === undefined || answer === true) return undefined
  if (answer !== false && !('refuse' in answer)) return answer
  const why = answer === false ? '' : `: ${answer.refuse}`
  throw new ActivityError('refused', `The Call of "${entry.facts.name}" was refused${why}.`)
}
