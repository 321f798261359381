import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'
import { possibleKinds } from './kinds.ts'
import { itemSchemas, laterItems, mostItems, tupleLength } from './members.ts'
import type { Gap, Location, Prover, Rules } from './prover.ts'

/** The keywords for arrays. */
export const arrayRules: Rules = (prover, all, wanted, location) => {
  if (!possibleKinds(all).has('array')) return []
  const gap = (keyword: string): Gap => ({ location, keyword, wants: wanted[keyword] })
  const {
    minItems = 0,
    maxItems = Number.POSITIVE_INFINITY,
    uniqueItems,
    unevaluatedItems,
  } = wanted as Partial<Record<string, number>>
  const most = mostItems(all)
  const isUnique = most <= 1 || all.all('uniqueItems').includes(true)
  return [
    ...((all.most('minItems') ?? 0) < minItems ? [gap('minItems')] : []),
    ...(most > maxItems ? [gap('maxItems')] : []),
    ...(uniqueItems !== undefined && !isUnique ? [gap('uniqueItems')] : []),
    ...(unevaluatedItems === undefined ? [] : [gap('unevaluatedItems')]),
    ...itemGaps(prover, all, wanted, location),
    ...containsGaps(prover, all, wanted, location),
  ]
}

function itemGaps(prover: Prover, all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const prefix = wanted.prefixItems ?? []
  const rest = wanted.items === undefined || Array.isArray(wanted.items) ? true : wanted.items
  const most = mostItems(all)
  const known = Math.max(prefix.length, tupleLength(all))
  const gaps = Array.from({ length: Math.min(known, most) }, (_, index) =>
    prover.prove(all.of(itemSchemas(all, index)), prefix[index] ?? rest, [...location, String(index)]),
  ).flat()
  if (most <= known || rest === true) return gaps
  return [...gaps, ...prover.prove(all.of(laterItems(all)), rest, [...location, '*'])]
}

function containsGaps(prover: Prover, all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const {
    contains,
    minContains = 1,
    maxContains,
  } = wanted as JsonSchema & {
    minContains?: number
    maxContains?: number
  }
  if (contains === undefined) return []
  const gaps: Gap[] = []
  if (minContains > 0 && !containsEnough(prover, all, contains, minContains, location))
    gaps.push({ location, keyword: 'contains', wants: contains })
  if (maxContains !== undefined && !containsFew(prover, all, contains, maxContains, location))
    gaps.push({ location, keyword: 'maxContains', wants: maxContains })
  return gaps
}

function containsEnough(
  prover: Prover,
  all: Conjunction,
  wanted: Schema,
  least: number,
  location: Location,
): boolean {
  const isKnown = all.parts.some(({ contains, minContains = 1 }) => {
    if (contains === undefined || Number(minContains) < least) return false
    return prover.prove(all.of([contains, ...laterItemsOf(all)]), wanted, [...location, '*']).length === 0
  })
  if (isKnown) return true
  const [every = [], ...tuple] = [
    laterItems(all),
    ...Array.from({ length: tupleLength(all) }, (_, at) => itemSchemas(all, at)),
  ]
  return (
    (all.most('minItems') ?? 0) >= least &&
    [every, ...tuple].every(
      (schemas) => prover.prove(all.of(schemas), wanted, [...location, '*']).length === 0,
    )
  )
}

/** Returns the schemas of all items; none if there is a tuple. */
function laterItemsOf(all: Conjunction): Schema[] {
  return tupleLength(all) === 0 ? laterItems(all) : []
}

function containsFew(
  prover: Prover,
  all: Conjunction,
  wanted: Schema,
  most: number,
  location: Location,
): boolean {
  if (mostItems(all) <= most) return true
  return all.parts.some(({ contains, maxContains = Number.POSITIVE_INFINITY }) => {
    if (contains === undefined || Number(maxContains) > most) return false
    return prover.prove(all.of([wanted]), contains, [...location, '*']).length === 0
  })
}
