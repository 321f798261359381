import { requireArgument } from '../problems/option-problems.ts'
import type { ContextLike } from './context.ts'
import { contextRule } from './context-rule.ts'
import type { Message } from './message.ts'

/** Returns the Messages of a context in any form. */
export function messagesOf(context: ContextLike | undefined): readonly Message[] {
  if (context === undefined) return []
  requireArgument('`context`', context, contextRule)
  return 'messages' in context ? context.messages : (context as readonly Message[])
}
