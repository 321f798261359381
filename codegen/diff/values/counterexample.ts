import { isJsonObject } from '../../../runtime/json/json.ts'
import { pointerNames } from '../../../runtime/json/pointer-names.ts'
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
 * Looks for a value that shows a gap: one that the second schema refuses at the gap's place, and nowhere else where that can
 * be; or, without a gap, any. Always the same value for the same schemas.
 */
export function findCounterexample(universe: Universe, gap: Gap | undefined): Counterexample | undefined {
  const { first, second } = universe
  const focus = gap && { location: gap.location, values: (gap.refused ?? []).slice(0, 50) }
  const values = new Instances().matching(new Conjunction([first], universe), [second], {
    focus,
    strict: [second],
  })
  let also: unknown
  let seen = 0
  for (const value of values) {
    if (++seen > mostValues) break
    if (universe.accepts(second, value) || !universe.accepts(first, value)) continue
    if (!gap) return { value: simpler(value, universe) }
    const isAtGap = universe.refusals(second, value).map((path) => isAt(path, gap))
    if (isAtGap.every((is) => is)) return { value }
    if (also === undefined && isAtGap.includes(true)) also = value
  }
  return also === undefined ? undefined : { value: also }
}

/** True for the place of a gap, one inside it, or one around it: what is wrong in a union is said of the whole. */
function isAt(path: string, { location }: Gap): boolean {
  return pointerNames(path).every((token, index) => {
    const wanted = location[index]
    return wanted === undefined || wanted === '*' || token === wanted
  })
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
