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
 * Without limits, all are.
 *
 * @param isInOrder Uses the order of the list, so that an appended Tool changes nothing for those before it.
 * @param answer The counts of a response format that is sent with them, which shares their limits.
 * @returns Their names, and those of the oversized ones: each exceeds a documented limit by itself, so that the provider
 * would refuse the whole request if it were strict.
 */
export function chooseStrict(
  tools: readonly Candidate[],
  limits: readonly Limit[],
  isInOrder: boolean,
  answer: Candidate['counts'],
): { readonly strict: readonly string[]; readonly oversized: readonly string[] } {
  const budgets = limits.filter(({ measure }) => shared.includes(measure))
  const ofEach = limits.filter(
    ({ severity, appliesTo }) => severity === 'documented' && appliesTo === undefined,
  )
  const spent = new Map(budgets.map(({ measure }) => [measure, answer[measure]]))
  const strict: string[] = []
  const oversized: string[] = []
  const bySize = (left: Candidate, right: Candidate): number =>
    left.counts.bytes - right.counts.bytes || byCodeUnit(left.name, right.name)
  for (const { name, counts } of isInOrder ? tools : [...tools].sort(bySize)) {
    const after = (measure: Measure): number =>
      (spent.get(measure) ?? 0) + (measure === 'strictTools' ? 1 : counts[measure])
    if (ofEach.some(({ measure, max }) => counts[measure] > max)) oversized.push(name)
    else if (budgets.every(({ measure, max }) => after(measure) <= max)) {
      strict.push(name)
      for (const { measure } of budgets) spent.set(measure, after(measure))
    }
  }
  return { strict, oversized }
}
