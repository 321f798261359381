import type { ContextLike } from '../context/context.ts'
import { messagesOf } from '../context/messages-of.ts'
import { requireEachMessage } from '../context/well-formed-message.ts'
import { CallError, type CallsheetError, isCallsheetError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import { messageOf } from '../problems/message-of.ts'
import { asInternal } from './call-errors.ts'

/**
 * Makes the error of what could not be looked at. Where that or a Message of the context is not plain JSON (a getter or
 * a proxy that throws, a Message that is none), it is the caller's; anything else is a defect of Callsheet (CALL-12).
 *
 * @param copy Copies what was given, and throws where that cannot be done.
 * @param doing What Callsheet did when it failed, as in `accepted the Call`.
 */
export function asUnreadable(
  thrown: unknown,
  what: 'Call' | 'plan',
  copy: () => unknown,
  context: ContextLike | undefined,
  doing: string,
): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  try {
    copy()
    const messages = messagesOf(context)
    requireEachMessage(messages, 'the context')
    for (const message of messages) copyJson(message)
  } catch (unreadable) {
    if (isCallsheetError(unreadable)) return unreadable
    const message = `The ${what} cannot be read: ${messageOf(thrown)}. Pass plain JSON, the Messages of its context included.`
    return new CallError('invalid_call', message, { cause: thrown })
  }
  return asInternal(thrown, doing)
}
