import { branchMark } from './message-mark.ts'

/** One alternative of a Call's `_outputPath`, and what is written there. Made by {@link branch}. */
export interface Branch<Name extends string = string, Data = unknown> {
  readonly branch: Name
  readonly data: Data
  /** A type and no property: nothing but `branch()` gives it. */
  readonly '~made': 'branch'
}

/**
 * Says that what an Activity returns goes to one alternative of its Call's `_outputPath` (ACT-6): the one with a path
 * that ends in the name, or is the name. The Message is made when the Call ends, with the Call's own path and method.
 * The first alternative takes the Tool's output, and is checked as one; `Tool(call)` rejects with a `BranchError` for
 * any other. A Call without `_outputPath` has no alternatives: what is returned here then becomes a `result` Message.
 *
 * @example
 * // Called with { _outputPath: '†state.quotient || †state.error' }
 * Activity.register('divide', async ({ a, b }) => (b === 0 ? branch('error', { reason: 'division by zero' }) : a / b))
 */
export function branch<const Name extends string, Data>(name: Name, data: Data): Branch<Name, Data> {
  // The one cast of the brand: `~made` exists for the compiler alone.
  return Object.defineProperty({ branch: name, data }, branchMark, { value: true }) as unknown as Branch<
    Name,
    Data
  >
}

/** True for what {@link branch} made, of this copy of the package or another. */
export function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, branchMark)
}
