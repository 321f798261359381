import type { Change } from './change.ts'

/** An accepted change. */
export interface Exception {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why the change is accepted. */
  readonly reason: string
}

/** The changes of one set of definitions. */
interface ChangedSet {
  readonly output: string
  readonly changes: readonly Change[]
}

/** The sets, whose changes have the reasons of their exceptions, and the exceptions that no longer match a change. */
export interface Excused<Changed extends ChangedSet> {
  readonly sets: readonly Changed[]
  readonly stale: readonly Exception[]
}

/**
 * Applies each set's exceptions to its changes, by their ids; to a set that was removed, all of them. An exception is stale once
 * the compared state contains its change, or the change has become a different one (DIFF-4): sets may share it, so it is stale only
 * if it matches in none.
 */
export function excuseSets<Changed extends ChangedSet>(
  sets: readonly Changed[],
  configured: readonly { readonly output: string; readonly exceptions: readonly Exception[] }[],
): Excused<Changed> {
  const all = configured.flatMap(({ exceptions }) => exceptions)
  const matched = new Set<string>()
  const excused = sets.map((set) => {
    const { exceptions } = configured.find(({ output }) => output === set.output) ?? { exceptions: all }
    const reasons = new Map(exceptions.map(({ change, reason }) => [change, reason]))
    const changes = set.changes.map((change) => {
      const reason = reasons.get(change.id)
      if (reason === undefined) return change
      matched.add(change.id)
      return { ...change, excused: reason }
    })
    return { ...set, changes }
  })
  const known = new Map(all.map((exception) => [exception.change, exception]))
  return { sets: excused, stale: [...known.values()].filter(({ change }) => !matched.has(change)) }
}
