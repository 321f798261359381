import type { ContextLike } from './context.ts'
import { contextInternals } from './reader.ts'
import { arrayReader } from './state.ts'

/**
 * Gives Calls that run together one context to read: what was indexed for one of them, the others need not search. What they add goes
 * to the context itself.
 */
export function readTogether(context: ContextLike | undefined): ContextLike | undefined {
  if (context === undefined || 'messages' in context) return context
  const shared = { messages: context }
  contextInternals.set(shared, { reader: arrayReader(context) })
  // The one cast: it is read like a Context, and never appended to.
  return shared as unknown as ContextLike
}
