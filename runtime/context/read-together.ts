import type { ContextLike } from './context.ts'
import { contextInternals } from './reader.ts'
import { readerOf } from './state.ts'

/**
 * Wraps a context for Calls that run together, so that they share one index for reading. Appends still go to the original
 * context.
 */
export function readTogether(context: ContextLike | undefined): ContextLike | undefined {
  if (context === undefined || 'messages' in context) return context
  const shared = { messages: context }
  contextInternals.set(shared, { reader: readerOf(context) })
  // The one cast: it is only read, and never appended to.
  return shared as unknown as ContextLike
}
