import type { Change } from './change.ts'

/** A change that somebody answers for. */
export interface Exception {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why it may be. */
  readonly reason: string
}

/** The changes with the reasons that excuse some of them, and the exceptions that excuse nothing any more. */
export interface Excused {
  readonly changes: readonly Change[]
  readonly stale: readonly Exception[]
}

/**
 * Excuses changes by their ids. An id names one change from one state to another: once that is the state to compare with, or
 * the change has become another, its exception is stale (DIFF-4).
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
