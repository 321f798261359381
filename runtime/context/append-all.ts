import type { ContextLike } from './context.ts'
import { listAppenders } from './list-appenders.ts'
import type { Message } from './message.ts'

/** Adds Messages to what is a Context, all of them or none; what is given as an array is never touched. */
export function appendAll(context: ContextLike | undefined, messages: readonly Message[]): void {
  if (context === undefined || !('append' in context)) return
  const appendList = listAppenders.get(context)
  if (appendList) appendList(messages)
  else context.append(...messages)
}
