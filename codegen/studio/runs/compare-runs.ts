import { diffArrays } from 'diff'
import type { Call } from '../../../runtime/context/message.ts'
import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { isSameJson } from '../../../runtime/json/same-json.ts'
import type { ComparedCall, RunComparison } from '../wire/runs.ts'
import { callsOf, type RecordedRun } from './recorded-run.ts'
import { statusOf } from './run-views.ts'

/** Two runs of thousands of Calls that have nothing in common would be compared for minutes. */
const mostDifferences = 2_000

type Side = NonNullable<ComparedCall['left']>

/**
 * Lays the Calls of two runs beside each other: those that both made stand on one line. Where most of many differ, the
 * Calls of one run stand after those of the other.
 */
export function compareRuns(left: RecordedRun, right: RecordedRun): RunComparison {
  const [before, after] = [sidesOf(left), sidesOf(right)]
  const texts = (sides: readonly Side[]): string[] => sides.map(({ call }) => canonicalJson(call))
  const rows: ComparedCall[] = []
  let [at, other] = [0, 0]
  const parts = diffArrays(texts(before), texts(after), { maxEditLength: mostDifferences }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ]
  for (const { added, removed, count = 0 } of parts) {
    for (let step = 0; step < count; step++) {
      const [was, is] = [before[at], after[other]]
      if (!added) at++
      if (!removed) other++
      if (added && is) rows.push({ right: is, isSame: false })
      else if (removed && was) rows.push({ left: was, isSame: false })
      else if (was && is) {
        const isSame = was.status === is.status && isSameJson(was.output ?? null, is.output ?? null)
        rows.push({ left: was, right: is, isSame })
      }
    }
  }
  return { rows }
}

/** Every Call that a run made; of a Vessel those that the model chose, which nothing ran. */
function sidesOf(record: RecordedRun): Side[] {
  const ran = record.steps.filter(({ kind }) => kind === 'call')
  if (ran.length > 0) {
    return ran.map((step) => ({
      call: step.call,
      status: statusOf(step),
      ...(step.outcome?.output !== undefined && { output: step.outcome.output }),
    }))
  }
  return record.steps.flatMap((step) =>
    callsOf(step).map((call: Call): Side => ({ call, status: 'not run' })),
  )
}
