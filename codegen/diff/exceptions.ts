import type { Change } from './change.ts'

/** An accepted change. */
export interface Exception {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why the change is accepted. */
  readonly reason: string
}

/** The changes with the reasons of their exceptions, and the exceptions that no longer match a change. */
export interface Excused {
  readonly changes: readonly Change[]
  readonly stale: readonly Exception[]
}

/**
 * Applies exceptions to changes by their ids. An exception is stale once the compared state contains its change, or the
 * change has become a different one (DIFF-4).
 */
export function excuse(changes: readonly Change[], exceptions: readonly Exception[]): Excused {
  const reasons = new Map(exceptions.map(({ change, reason }) => [change, reason]))
  const ids = new Set(changes.map(({ id }) => id))
  return {
    changes: changes.map((change) => {
      const reason = reasons.get(change.id)
      return reason === undefined ? change : { ...change, excused: reason }
    }),
    stale: exceptions.filter(({ change }) => !ids.has(change)),
  }
}
