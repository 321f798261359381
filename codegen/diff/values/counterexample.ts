import { isJsonObject } from '../../../runtime/json/json.ts'
import { Conjunction } from '../containment/conjunction.ts'
import type { Gap } from '../containment/prover.ts'
import type { Universe } from '../containment/universe.ts'
import { Instances } from './instances.ts'

/** How many values are looked at for one gap before it stays unknown. */
const mostValues = 3_000

/** A value that the first schema accepts and the second refuses. */
export interface Counterexample {
  readonly value: unknown
}

/**
 * Looks for a value that shows a gap: at its place, or anywhere where no gap is given. Always the same value for the same
 * schemas.
 */
export function findCounterexample(universe: Universe, gap: Gap | undefined): Counterexample | undefined {
  const all = new Conjunction([universe.first], universe)
  const focus = gap && { location: gap.location, values: (gap.refused ?? []).slice(0, 50) }
  let seen = 0
  for (const value of new Instances().matching(all, [universe.second], focus)) {
    if (!universe.accepts(universe.second, value)) return { value: simpler(value, universe) }
    if (++seen >= mostValues) break
  }
  return undefined
}

/** Leaves out what the example does not need. */
function simpler(value: unknown, universe: Universe): unknown {
  const isStill = (candidate: unknown): boolean =>
    universe.accepts(universe.first, candidate) && !universe.accepts(universe.second, candidate)
  if (!isJsonObject(value)) return value
  let least = value
  for (const name of Object.keys(value)) {
    const { [name]: _, ...rest } = least
    if (isStill(rest)) least = rest
  }
  return least
}
