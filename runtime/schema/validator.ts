import type { Problem } from '../errors.ts'

/**
 * A check of one value against one schema, precompiled or interpreted.
 *
 * Without `problems` it stops at the first failure. With `problems` it pushes every failure.
 *
 * @param path The JSON pointer of `value`, for the problems; `''` for the root.
 * @returns true when the value is valid.
 */
// `any`: compiled checks read properties of values whose type they have just tested; with a narrower type every generated line
// would need a cast.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Check = (value: any, path?: string, problems?: Problem[] | null) => boolean

/** The checks of one Tool. */
export interface Checks {
  /** Parameters and declared meta-fields of a Call, after References are resolved. */
  readonly call: Check
  /** The output; absent for a Tool without `_output`. */
  readonly output?: Check
}
