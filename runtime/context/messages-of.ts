import { requireArgument } from '../problems/option-problems.ts'
import type { ContextLike } from './context.ts'
import { contextRule } from './context-rule.ts'
import type { Message } from './message.ts'

/** The Messages of whatever is taken as a context. */
export function messagesOf(context: ContextLike | undefined): readonly Message[] {
  if (context === undefined) return []
  requireArgument('`context`', context, contextRule)
  return 'messages' in context ? context.messages : context
}
