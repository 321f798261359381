import type { ContextLike } from './context.ts'
import { messagesOf } from './messages-of.ts'
import { contextInternals } from './reader.ts'
import { requireMessage } from './well-formed-message.ts'

/**
 * Refuses a context with anything in it that is not a Message, such as a message in a provider's form. A Context has
 * looked at its own.
 *
 * @throws CallsheetError `invalid_message` for the first.
 */
export function requireMessages(context: ContextLike | undefined): void {
  if (context === undefined || contextInternals.has(context)) return
  for (const [index, message] of messagesOf(context).entries()) {
    requireMessage(message, `Message ${index} of the context`)
  }
}
