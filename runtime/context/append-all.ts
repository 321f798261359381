import { wrongAnswer } from '../problems/wrong-answer.ts'
import type { ContextLike } from './context.ts'
import type { Message } from './message.ts'
import { contextInternals } from './reader.ts'

/**
 * Appends Messages to a Context, all of them or none. A context that is an array is never changed.
 *
 * @throws CallError `invalid_options` if the Context appends later: nobody would know whether it did.
 */
export function appendAll(context: ContextLike | undefined, messages: readonly Message[]): void {
  if (context === undefined || !('append' in context)) return
  const internals = contextInternals.get(context)
  if (internals?.append) internals.append(messages)
  else {
    const answer = context.append(...messages) as undefined | Partial<PromiseLike<void>>
    if (typeof answer?.then === 'function')
      throw wrongAnswer('`append` of the Context', 'to append at once', answer)
  }
}
