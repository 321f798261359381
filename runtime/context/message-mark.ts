import type { GivenMessage, Message } from './message.ts'

/** Marks the results of `message()`. A symbol, so that JSON cannot contain it; shared by all copies of the package. */
export const messageMark: unique symbol = Symbol.for('callsheet.message')

/** Marks the results of `branch()`. */
export const branchMark: unique symbol = Symbol.for('callsheet.branch')

/** Marks a Message that contains no output, whatever its data is: a branch of a Call without `_outputPath`, made by a worker. */
export const asideMark: unique symbol = Symbol.for('callsheet.aside')

/** A Message made by `message()`: the only kind that an Activity may return (ACT-6). */
export type MadeMessage<Made extends GivenMessage = GivenMessage> = Made & {
  /** Exists in the type only, so that only `message()` can create one. */
  readonly '~made': 'message'
}

/** True for a result of `message()`, from this copy of the package or another. */
export function isMarkedMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, messageMark)
}

/** True for a result of `message()` or `branch()`. */
export function isMarked(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Object.hasOwn(value, messageMark) || Object.hasOwn(value, branchMark))
  )
}
