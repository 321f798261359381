import type { Limit, Measure } from '../dialects/dialect.ts'
import { byCodeUnit } from '../json/json.ts'

/** Limits that all strict tools of a request share. */
const shared: readonly Measure[] = ['strictTools', 'optionalParameters', 'unions']

interface Candidate {
  readonly name: string
  readonly counts: Readonly<Record<Measure, number>>
}

/**
 * Chooses the strict Tools: the smallest first, as long as every limit holds, so that as many as possible are strict.
 * Without limits, all are. A Tool that exceeds a limit by itself is never strict: the provider would refuse the whole request.
 *
 * @param order `list` uses their order, so that an appended Tool changes nothing for those before it.
 */
export function chooseStrict(
  tools: readonly Candidate[],
  limits: readonly Limit[],
  order: 'size' | 'list' = 'size',
): string[] {
  const budgets = limits.filter(({ measure }) => shared.includes(measure))
  const ofEach = limits.filter(
    ({ severity, appliesTo }) => severity === 'documented' && appliesTo === undefined,
  )
  const spent = new Map<Measure, number>()
  const cost = ({ counts }: Candidate, measure: Measure): number =>
    measure === 'strictTools' ? 1 : counts[measure]
  const bySize = (left: Candidate, right: Candidate): number =>
    left.counts.bytes - right.counts.bytes || byCodeUnit(left.name, right.name)
  const inOrder = order === 'size' ? [...tools].sort(bySize) : tools
  return inOrder
    .filter((tool) => {
      const fits =
        ofEach.every(({ measure, max }) => tool.counts[measure] <= max) &&
        budgets.every(({ measure, max }) => (spent.get(measure) ?? 0) + cost(tool, measure) <= max)
      if (fits)
        for (const { measure } of budgets) spent.set(measure, (spent.get(measure) ?? 0) + cost(tool, measure))
      return fits
    })
    .map(({ name }) => name)
}
