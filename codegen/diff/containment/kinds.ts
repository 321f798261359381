import type { Conjunction } from './conjunction.ts'
import { itemSchemas, memberSchemas, mostItems, possibleNames } from './members.ts'

/** The types of JSON, with numbers split into integers and fractions. */
export type Kind = 'null' | 'boolean' | 'string' | 'integer' | 'fraction' | 'array' | 'object'

const kinds: readonly Kind[] = ['null', 'boolean', 'string', 'integer', 'fraction', 'array', 'object']

/** How deep into a value contradictions are searched. */
const deepest = 5

/** Returns the kinds that a `type` names. */
export function kindsOfType(type: unknown): Kind[] {
  return [type].flat().flatMap((name) => (name === 'number' ? ['integer', 'fraction'] : [name])) as Kind[]
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return typeof value as Kind
}

/** Returns the kinds of values that may satisfy a conjunction. All others are proven impossible. */
export function possibleKinds(all: Conjunction, depth: number = 0): ReadonlySet<Kind> {
  const known = knownKinds.get(all) ?? []
  knownKinds.set(all, known)
  known[depth] ??= findKinds(all, depth)
  return known[depth]
}

/** Cache, by depth: the deeper the call, the less far it searches. */
const knownKinds = new WeakMap<Conjunction, ReadonlySet<Kind>[]>()

function findKinds(all: Conjunction, depth: number): ReadonlySet<Kind> {
  if (all.isFalse) return new Set()
  const listed = finiteValues(all, depth)
  if (listed) return new Set(listed.map(kindOf))
  return typedKinds(all, depth)
}

/** Whether it is proven that no value satisfies a conjunction. False can mean unknown. */
export function isEmpty(all: Conjunction, depth: number = 0): boolean {
  return possibleKinds(all, depth).size === 0
}

/** Lists all values of a conjunction; undefined if they cannot be listed. */
export function finiteValues(all: Conjunction, depth: number = 0): readonly unknown[] | undefined {
  const known = listedValues.get(all) ?? []
  listedValues.set(all, known)
  known[depth] ??= { values: listValues(all, depth) }
  return known[depth].values
}

/** Cache, by depth: the deeper the call, the less far it searches. */
const listedValues = new WeakMap<Conjunction, { readonly values: readonly unknown[] | undefined }[]>()

function listValues(all: Conjunction, depth: number): readonly unknown[] | undefined {
  if (all.isFalse) return []
  const { universe } = all
  // Lists can be long, so they are compared by text in sets instead of value by value.
  const lists = all.parts.flatMap((part) => (part.enum === undefined ? [] : [part.enum]))
  const others = lists.slice(1).map((list) => new Set(list.map((value) => universe.valueText(value))))
  const listed = lists[0]?.filter((value) => others.every((texts) => texts.has(universe.valueText(value))))
  const candidates = listed ?? smallKinds(all, depth)
  const checked = all.parts.map(({ enum: _, ...rest }) => rest).filter((part) => Object.keys(part).length > 0)
  return candidates?.filter((value) => checked.every((part) => universe.accepts(part, value)))
}

/** `null` and booleans are few enough to list. */
function smallKinds(all: Conjunction, depth: number): unknown[] | undefined {
  const possible = typedKinds(all, depth)
  if ([...possible].some((kind) => kind !== 'null' && kind !== 'boolean')) return undefined
  return [...(possible.has('null') ? [null] : []), ...(possible.has('boolean') ? [true, false] : [])]
}

function typedKinds(all: Conjunction, depth: number): Set<Kind> {
  const types = all.all('type').map((type) => new Set(kindsOfType(type)))
  const allowed = kinds.filter((kind) => types.every((type) => type.has(kind)))
  return new Set(allowed.filter((kind) => !isImpossible[kind]?.(all, depth)))
}

/** Contradictions that rule out a kind which `type` allows. */
const isImpossible: Partial<Record<Kind, (all: Conjunction, depth: number) => boolean>> = {
  string: (all) => (all.most('minLength') ?? 0) > (all.least('maxLength') ?? Number.POSITIVE_INFINITY),
  integer: (all) => {
    const { lower, upper } = numericBounds(all, true)
    return lower.value > upper.value
  },
  fraction: (all) => {
    if (all.all('multipleOf').some((step) => Number.isInteger(step))) return true
    const { lower, upper } = numericBounds(all, false)
    return lower.value > upper.value || (lower.value === upper.value && (lower.isOpen || upper.isOpen))
  },
  array: (all, depth) => {
    const least = all.most('minItems') ?? 0
    if (least > mostItems(all)) return true
    if (depth >= deepest || least > 16) return false
    return Array.from({ length: least }, (_, index) => itemSchemas(all, index)).some((schemas) =>
      isEmpty(all.of(schemas), depth + 1),
    )
  },
  object: (all, depth) => {
    const { required } = all
    const names = possibleNames(all)
    const most = Math.min(
      all.least('maxProperties') ?? Number.POSITIVE_INFINITY,
      names?.length ?? Number.POSITIVE_INFINITY,
    )
    if (Math.max(required.size, all.most('minProperties') ?? 0) > most) return true
    if (depth >= deepest) return false
    return [...required].some((name) => isEmpty(all.of(memberSchemas(all, name)), depth + 1))
  },
}

/** An end of a range of numbers. */
export interface Bound {
  readonly value: number
  /** Whether the bound itself is excluded. */
  readonly isOpen: boolean
}

/** Returns the range of a conjunction; for integers, rounded inwards to integers. */
export function numericBounds(all: Conjunction, isWhole: boolean): { lower: Bound; upper: Bound } {
  const lower = tighter(all.most('minimum'), all.most('exclusiveMinimum'), Math.max, Number.NEGATIVE_INFINITY)
  const upper = tighter(
    all.least('maximum'),
    all.least('exclusiveMaximum'),
    Math.min,
    Number.POSITIVE_INFINITY,
  )
  if (!isWhole) return { lower, upper }
  return {
    lower: { value: lower.isOpen ? Math.floor(lower.value) + 1 : Math.ceil(lower.value), isOpen: false },
    upper: { value: upper.isOpen ? Math.ceil(upper.value) - 1 : Math.floor(upper.value), isOpen: false },
  }
}

function tighter(
  closed: number = Number.NaN,
  open: number = Number.NaN,
  choose: (...values: number[]) => number,
  otherwise: number,
): Bound {
  const [shut, ajar] = [Number.isNaN(closed) ? otherwise : closed, Number.isNaN(open) ? otherwise : open]
  const value = choose(shut, ajar)
  return { value, isOpen: value === ajar && value !== otherwise }
}
