import type { Verdict } from '../change.ts'
import { proveContained } from '../containment/prove.ts'
import type { Gap } from '../containment/prover.ts'
import { type Contained, Universe } from '../containment/universe.ts'
import { findCounterexample } from '../values/counterexample.ts'

/** A gap with its verdict: shown by an example, or not decided. */
export interface JudgedGap extends Gap {
  readonly verdict: Exclude<Verdict, 'safe'>
  readonly example: { readonly value: unknown } | undefined
}

/** Gaps that an example is looked for; a schema that differs everywhere needs no more to be seen as different. */
const mostJudged = 40

/**
 * Finds out whether every value of one schema is one of another: no gaps when that is proven; otherwise what breaks, with
 * an example each, and what nobody can tell (DIFF-2).
 */
export function judgedGaps(first: Contained, second: Contained): JudgedGap[] {
  try {
    return judge(first, second)
  } catch (error) {
    // A chain of some thousand definitions is followed to its end, for which there is no stack.
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
  const judged = gaps.slice(0, mostJudged).map((gap): JudgedGap => {
    const example = findCounterexample(universe, gap)
    return { ...gap, verdict: example ? 'breaks' : 'unknown', example }
  })
  if (judged.length === 0 || judged.some(({ verdict }) => verdict === 'breaks')) return judged
  const elsewhere = findCounterexample(universe, undefined)
  const [head, ...rest] = judged
  return elsewhere && head ? [{ ...head, verdict: 'breaks', example: elsewhere }, ...rest] : judged
}
