import { isJsonObject } from '../../../runtime/json/json.ts'
import { pointerNames } from '../../../runtime/json/pointer-names.ts'
import { Conjunction } from '../containment/conjunction.ts'
import type { Gap } from '../containment/prover.ts'
import type { Universe } from '../containment/universe.ts'
import type { Effort } from './effort.ts'
import { Instances } from './instances.ts'

/** The most values that are tried for one gap before it stays unknown. */
const mostValues = 3_000
/** The most values that are tried for a better example once there is one. */
const mostFurther = 200

/** A value that the first schema accepts and the second refuses. */
export interface Counterexample {
  readonly value: unknown
}

/**
 * Searches a value that demonstrates a gap: one that the second schema refuses at the gap's location and, if possible, nowhere
 * else. Without a gap, any refused value. Deterministic: the same schemas always give the same value.
 */
export function findCounterexample(
  universe: Universe,
  gap: Gap | undefined,
  effort: Effort,
): Counterexample | undefined {
  const { first, second } = universe
  const focus = gap && { location: gap.location, values: (gap.refused ?? []).slice(0, 50) }
  const values = new Instances(effort).matching(new Conjunction([first], universe), [second], {
    focus,
    strict: [second],
  })
  let also: unknown
  let left = mostValues
  for (const value of values) {
    if (left-- === 0) break
    if (universe.accepts(second, value) || !universe.accepts(first, value)) continue
    if (!gap) return { value: simpler(value, universe) }
    const isAtGap = universe.refusals(second, value).map((path) => isAt(path, gap))
    if (isAtGap.every((is) => is)) return { value }
    if (also !== undefined || !isAtGap.includes(true)) continue
    also = value
    left = Math.min(left, mostFurther)
  }
  return also === undefined ? undefined : { value: also }
}

/** Whether a path is at, inside or around a gap's location. Problems in a union are reported for the whole union. */
function isAt(path: string, { location }: Gap): boolean {
  return pointerNames(path).every((token, index) => {
    const wanted = location[index]
    return wanted === undefined || wanted === '*' || token === wanted
  })
}

/** Removes everything from an example that it does not need. */
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
