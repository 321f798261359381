import type { ContextLike } from './context.ts'
import type { Message } from './message.ts'
import { contextInternals } from './reader.ts'

/** Appends Messages to a Context, all of them or none. A context that is an array is never changed. */
export function appendAll(context: ContextLike | undefined, messages: readonly Message[]): void {
  if (context === undefined || !('append' in context)) return
  const internals = contextInternals.get(context)
  if (internals?.append) internals.append(messages)
  else context.append(...messages)
}
