import type { Verdict } from '../change.ts'
import { proveContained } from '../containment/prove.ts'
import type { Gap } from '../containment/prover.ts'
import { type Contained, Universe } from '../containment/universe.ts'
import { findCounterexample } from '../values/counterexample.ts'
import type { Effort } from '../values/effort.ts'

/** A gap with its verdict: proven by an example, or not decided. */
export interface JudgedGap extends Gap {
  readonly verdict: Exclude<Verdict, 'safe'>
  readonly example: { readonly value: unknown } | undefined
}

/** The most steps that the search for the examples of one comparison may take. Gaps that it does not reach stay unknown. */
const mostEffort = 300_000
/** The most gaps to search an example for; more would not help to understand a schema that differs everywhere. */
const mostJudged = 40

/**
 * Checks whether every value of one schema is valid under another. Returns no gaps if that is proven; otherwise the values
 * that break, with an example each, and the undecided locations (DIFF-2).
 */
export function judgedGaps(first: Contained, second: Contained): JudgedGap[] {
  try {
    return judge(first, second)
  } catch (error) {
    // Following a chain of some thousand definitions overflows the stack.
    if (!(error instanceof RangeError)) throw error
    return [{ location: [], keyword: 'size', wants: undefined, verdict: 'unknown', example: undefined }]
  }
}

function judge(first: Contained, second: Contained): JudgedGap[] {
  const universe = new Universe(first, second)
  if (universe.obstacle !== undefined) {
    return [
      {
        location: [],
        keyword: 'unreadable',
        wants: universe.obstacle,
        verdict: 'unknown',
        example: undefined,
      },
    ]
  }
  const gaps = proveContained(universe)
  const effort: Effort = { left: mostEffort }
  const judged = gaps.slice(0, mostJudged).map((gap): JudgedGap => {
    const example = findCounterexample(universe, gap, effort)
    return { ...gap, verdict: example ? 'breaks' : 'unknown', example }
  })
  if (judged.length === 0 || judged.some(({ verdict }) => verdict === 'breaks')) return judged
  const elsewhere = findCounterexample(universe, undefined, effort)
  const [head, ...rest] = judged
  return elsewhere && head ? [{ ...head, verdict: 'breaks', example: elsewhere }, ...rest] : judged
}
