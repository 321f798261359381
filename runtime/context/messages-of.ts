import type { ContextLike } from './context.ts'
import type { Message } from './message.ts'

/** The Messages of whatever is taken as a context. */
export function messagesOf(context: ContextLike | undefined): readonly Message[] {
  if (context === undefined) return []
  return 'messages' in context ? context.messages : context
}
