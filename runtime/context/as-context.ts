import type { Context, ContextLike } from './context.ts'
import type { Message } from './message.ts'

/** The Context that was given, to append to; undefined for an array or nothing. */
function asContext(context: ContextLike | undefined): Context | undefined {
  return context !== undefined && 'append' in context ? context : undefined
}

/** How Contexts of this package take a list: an argument for each of its Messages would overflow the stack at 100,000. */
export const listAppenders: WeakMap<Context, (messages: readonly Message[]) => void> = new WeakMap()

/** Adds Messages to what is a Context, all of them or none; to anything else it does nothing. */
export function appendAll(context: ContextLike | undefined, messages: readonly Message[]): void {
  const target = asContext(context)
  if (!target) return
  const appendList = listAppenders.get(target)
  if (appendList) appendList(messages)
  else target.append(...messages)
}
