import type { ContextLike } from '../context/context.ts'
import { messagesOf } from '../context/messages-of.ts'
import { requireEachMessage } from '../context/well-formed-message.ts'
import { CallError, type CallsheetError, isCallsheetError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import { messageOf } from '../problems/message-of.ts'
import { asInternalError } from './call-errors.ts'

/**
 * Wraps an exception that was thrown while a Call or a plan was read. If the input or a Message of the context is not
 * plain JSON (a getter or proxy that throws, a malformed Message), the caller made the error: `invalid_call` or
 * `invalid_message`. Otherwise it is a bug in Callsheet: `internal` (CALL-12).
 *
 * @param copy Copies the input, and throws if it is not plain JSON.
 * @param doing What Callsheet did when it failed, for the sentence `Callsheet itself failed while it …`.
 */
export function asUnreadableError(
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
    const message = `The ${what} cannot be read: ${messageOf(thrown)}. Pass plain JSON, also in its context.`
    return new CallError('invalid_call', message, { cause: thrown })
  }
  return asInternalError(thrown, doing)
}
