import type { Message } from './message.ts'

/** How Contexts of this package take a list: an argument for each of its Messages would overflow the stack at 100,000. */
export const listAppenders: WeakMap<object, (messages: readonly Message[]) => void> = new WeakMap()
