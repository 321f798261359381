import type { Message } from './message.ts'

/** Shared by all copies of the package. */
export const messageMark: unique symbol = Symbol.for('callsheet.message')

/** True for what `message()` made, of this copy of the package or another. */
export function isMarkedMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, messageMark)
}
