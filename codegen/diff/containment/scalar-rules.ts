import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'
import { type Kind, kindsOfType, numericBounds, possibleKinds } from './kinds.ts'
import type { Gap, Location, Rules } from './prover.ts'

/** `type`, `enum`, and the keywords for strings and numbers. */
export const scalarRules: Rules = (_prover, all, wanted, location) => {
  const kinds = possibleKinds(all)
  return [
    ...typeGaps(kinds, wanted, location),
    ...(wanted.enum === undefined ? [] : [gap(location, 'enum', wanted.enum)]),
    ...(kinds.has('string') ? stringGaps(all, wanted, location) : []),
    ...(kinds.has('integer') || kinds.has('fraction') ? numberGaps(all, kinds, wanted, location) : []),
    ...formatGaps(all, kinds, wanted, location),
  ]
}

/** The shortest and longest string of a format, if certain. */
const formatLengths: Readonly<Record<string, readonly [shortest: number, longest: number]>> = {
  date: [10, 10],
  'date-time': [16, Number.POSITIVE_INFINITY],
  duration: [2, Number.POSITIVE_INFINITY],
  email: [3, Number.POSITIVE_INFINITY],
  hostname: [1, 254],
  ipv4: [7, 15],
  ipv6: [2, 45],
  time: [6, Number.POSITIVE_INFINITY],
  uri: [3, Number.POSITIVE_INFINITY],
  uuid: [36, 45],
}

function typeGaps(kinds: ReadonlySet<Kind>, { type }: JsonSchema, location: Location): Gap[] {
  if (type === undefined) return []
  const allowed = kindsOfType(type)
  return [...kinds].every((kind) => allowed.includes(kind)) ? [] : [gap(location, 'type', type)]
}

function stringGaps(all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const { minLength, maxLength, pattern } = wanted as Partial<Record<string, number>> & { pattern?: string }
  const gaps: Gap[] = []
  const formats = all
    .all('format')
    .map((format) => formatLengths[String(format)] ?? [0, Number.POSITIVE_INFINITY])
  const least = Math.max(all.most('minLength') ?? 0, ...formats.map(([shortest]) => shortest))
  const most = Math.min(
    all.least('maxLength') ?? Number.POSITIVE_INFINITY,
    ...formats.map(([, longest]) => longest),
  )
  if (minLength !== undefined && least < minLength) gaps.push(gap(location, 'minLength', minLength))
  if (maxLength !== undefined && most > maxLength) gaps.push(gap(location, 'maxLength', maxLength))
  const isFree = pattern === undefined || pattern === '' || pattern === '.*'
  if (!isFree && !all.all('pattern').includes(pattern)) gaps.push(gap(location, 'pattern', pattern))
  return gaps
}

/** Proves `format`, of strings and numbers: only the same format is certain to hold. */
function formatGaps(
  all: Conjunction,
  kinds: ReadonlySet<Kind>,
  { format }: JsonSchema,
  location: Location,
): Gap[] {
  if (format === undefined || all.all('format').includes(format)) return []
  const isTouched = kinds.has('string') || kinds.has('integer') || kinds.has('fraction')
  return isTouched ? [gap(location, 'format', format)] : []
}

function numberGaps(
  all: Conjunction,
  kinds: ReadonlySet<Kind>,
  wanted: JsonSchema,
  location: Location,
): Gap[] {
  const { lower, upper } = numericBounds(all, !kinds.has('fraction'))
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = wanted as Partial<
    Record<string, number>
  >
  const gaps: Gap[] = []
  if (minimum !== undefined && lower.value < minimum) gaps.push(gap(location, 'minimum', minimum))
  if (maximum !== undefined && upper.value > maximum) gaps.push(gap(location, 'maximum', maximum))
  if (
    exclusiveMinimum !== undefined &&
    !(lower.value > exclusiveMinimum || (lower.value === exclusiveMinimum && lower.isOpen))
  )
    gaps.push(gap(location, 'exclusiveMinimum', exclusiveMinimum))
  if (
    exclusiveMaximum !== undefined &&
    !(upper.value < exclusiveMaximum || (upper.value === exclusiveMaximum && upper.isOpen))
  )
    gaps.push(gap(location, 'exclusiveMaximum', exclusiveMaximum))
  if (multipleOf !== undefined && !isMultiple(all, kinds, multipleOf))
    gaps.push(gap(location, 'multipleOf', multipleOf))
  return gaps
}

/**
 * Whether all values are proven multiples. Exact for integers. For fractions only doublings count, since checks divide
 * floating-point numbers: by them, 0.55 is a multiple of 0.05 but not of 0.01.
 */
function isMultiple(all: Conjunction, kinds: ReadonlySet<Kind>, step: number): boolean {
  if (step === 1 && !kinds.has('fraction')) return true
  return all.all('multipleOf').some((known) => {
    const ratio = Number(known) / step
    if (Number.isSafeInteger(known) && Number.isSafeInteger(step)) return Number.isInteger(ratio)
    return ratio >= 1 && Number.isInteger(Math.log2(ratio)) && step * ratio === known
  })
}

function gap(location: Location, keyword: string, wants: unknown): Gap {
  return { location, keyword, wants }
}
