import type { ContextLike } from './context.ts'
import { messagesOf } from './messages-of.ts'
import { contextInternals } from './reader.ts'
import { requireEachMessage } from './well-formed-message.ts'

/**
 * Requires every entry of a context to be a Message; messages in a provider's form are refused, for example. The Messages of a
 * Context were already validated.
 *
 * @throws CallsheetError `invalid_message` with every problem.
 */
export function requireMessages(context: ContextLike | undefined): void {
  if (context === undefined || contextInternals.has(context)) return
  requireEachMessage(messagesOf(context), 'the context')
}
