import { branchMark } from './message-mark.ts'

/** An alternative of a Call's `_outputPath`, and the value to write there. Created by {@link branch}. */
export interface Branch<Name extends string = string, Data = unknown> {
  readonly branch: Name
  readonly data: Data
  /** Exists in the type only, so that only `branch()` can create one. */
  readonly '~made': 'branch'
}

/**
 * Returned by an Activity to choose one alternative of its Call's `_outputPath` (ACT-6): the one with a path that ends in the
 * name, or equals it. The Message is made when the Call ends, with the Call's own path and method. The first alternative takes
 * the Tool's output and is validated as such; for any other, `Tool(call)` rejects with a `BranchError`. A Call without
 * `_outputPath` has no alternatives: the data then becomes a `result` Message.
 *
 * @example
 * // Called with { _outputPath: '†state.quotient || †state.error' }
 * Activity.register('divide', async ({ a, b }) => (b === 0 ? branch('error', { reason: 'division by zero' }) : a / b))
 */
export function branch<const Name extends string, Data>(name: Name, data: Data): Branch<Name, Data> {
  // The one cast for the brand: `~made` exists only in the type.
  return Object.defineProperty({ branch: name, data }, branchMark, { value: true }) as unknown as Branch<
    Name,
    Data
  >
}

/** True for a result of {@link branch}, from this copy of the package or another. */
export function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, branchMark)
}
