import type { Message } from './message.ts'

/** Marks what `message()` made. A symbol, which no JSON can carry; shared by all copies of the package. */
export const messageMark: unique symbol = Symbol.for('callsheet.message')

/** Marks what `branch()` made. */
export const branchMark: unique symbol = Symbol.for('callsheet.branch')

/** A Message that `message()` made: the only kind that an Activity may return (ACT-6). */
export type MadeMessage<Made extends Message = Message> = Made & {
  /** A type and no property: nothing but `message()` gives it. */
  readonly '~made': 'message'
}

/** True for what `message()` made, of this copy of the package or another. */
export function isMarkedMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, messageMark)
}

/** True for what `message()` or `branch()` made. */
export function isMarked(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Object.hasOwn(value, messageMark) || Object.hasOwn(value, branchMark))
  )
}
