import type { Context, ContextLike } from './context.ts'
import { copiedTogether } from './copied-data.ts'
import { messagesOf } from './messages-of.ts'
import { contextInternals, type Reader } from './reader.ts'
import { readerOf } from './state.ts'

/**
 * Wraps a context for Calls that run together, so that they share one index for reading and one limit for what they copy.
 * Appends still go to the original context.
 */
export function readTogether(context: ContextLike, copied?: Reader['copied']): Context
export function readTogether(context: ContextLike | undefined): Context | undefined
export function readTogether(
  context: ContextLike | undefined,
  copied: Reader['copied'] = copiedTogether(),
): Context | undefined {
  if (context === undefined) return undefined
  const shared = { messages: messagesOf(context) }
  contextInternals.set(shared, { reader: { ...readerOf(context), copied } })
  // The one cast: it is only read, and never appended to.
  return shared as unknown as Context
}
