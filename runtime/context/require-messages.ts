import type { ContextLike } from './context.ts'
import { messagesOf } from './messages-of.ts'
import { contextInternals } from './reader.ts'
import { requireEachMessage } from './well-formed-message.ts'

/**
 * Refuses a context with anything in it that is not a Message, such as a message in a provider's form. A Context has
 * looked at its own.
 *
 * @throws CallsheetError `invalid_message` with every problem.
 */
export function requireMessages(context: ContextLike | undefined): void {
  if (context === undefined || contextInternals.has(context)) return
  requireEachMessage(messagesOf(context), 'the context')
}
