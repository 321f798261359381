import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import { finiteValues, isEmpty, type Kind, possibleKinds } from '../containment/kinds.ts'
import { countValues } from './count-values.ts'
import { type Effort, spend } from './effort.ts'
import { hintsOf } from './hints.ts'
import { ListValues } from './list-values.ts'
import { ObjectValues } from './object-values.ts'
import { numbers, texts } from './scalars.ts'
import { deepest, firstOf, type MatchingOptions, type ValueMaker, type Way } from './value-maker.ts'

/** The most values that a generated value may contain: of definitions that each refer to the next twice, it could have 2 ** 30. */
const mostParts = 20_000
/** What preparing the search for one part costs, in steps: as much as some values. */
const stepsPerSearch = 20
/** The most cases of unions that are tried. */
const mostCases = 40

/**
 * Generates values that satisfy a conjunction, simple ones first; each differs from a simple one in one location. Hints are
 * schemas that might refuse the values: values on both sides of their bounds, lists and names are tried.
 */
export class Instances implements ValueMaker {
  readonly #simplest = new Map<string, { readonly value: unknown }>()
  /** Conjunctions, with their depth limit, that have no value. Without this cache each level would double the work. */
  readonly #impossible = new Set<string>()
  /** Conjunctions that are being generated, to detect recursion. */
  readonly #open = new Set<string>()
  /** How many more steps the search may take. */
  readonly #effort: Effort
  /** Number of failures because a value contains itself. Such a failure must not be cached. */
  #circles = 0

  constructor(effort: Effort) {
    this.#effort = effort
  }

  /** Returns the first value that can be generated; undefined if there is none. */
  simplest(all: Conjunction, depth: number): { readonly value: unknown } | undefined {
    const key = all.text
    const known = this.#simplest.get(key)
    const attempt = `${Math.min(depth, deepest)} ${key}`
    if (known || this.#impossible.has(attempt)) return known
    if (this.#open.has(key)) {
      this.#circles++
      return undefined
    }
    const before = this.#circles
    this.#open.add(key)
    const [first] = firstOf(this.matching(all, [], { depth }), 1)
    const found = first && countValues(first.value) <= mostParts ? first : undefined
    this.#open.delete(key)
    if (found) this.#simplest.set(key, found)
    else if (this.#circles === before) this.#impossible.add(attempt)
    return found
  }

  *matching(all: Conjunction, wanted: readonly Schema[], options: MatchingOptions = {}): Generator<unknown> {
    if (!spend(this.#effort, stepsPerSearch)) return
    const target = (reference: string): Schema => all.universe.target(reference)
    const hints = hintsOf(wanted, target)
    const cases = [...firstOf(opened(all), mostCases)].map(({ value }) => this.#plain(value, hints, options))
    for (const value of inTurns(cases)) {
      if (!spend(this.#effort, 1)) return
      if (all.parts.every((part) => all.universe.accepts(part, value)) && !all.isFalse) yield value
    }
  }

  *#plain(
    all: Conjunction,
    hints: readonly JsonSchema[],
    { focus, depth = 0, strict = [] }: MatchingOptions,
  ): Generator<unknown> {
    const [next, ...further] = focus?.location ?? []
    const inside = next === undefined || !focus ? undefined : { location: further, values: focus.values }
    if (focus && next === undefined) yield* focus.values
    const way: Way = { next, inside, strict, depth }
    const values = finiteValues(all)
    if (values) {
      yield* values.slice(0, 500)
      return
    }
    const kinds = possibleKinds(all)
    if (next === undefined) {
      // One value of each kind first: the simplest reason for a refusal is the kind.
      yield* samples(kinds)
      if (kinds.has('string')) yield* texts(all.parts, hints)
      if (kinds.has('integer') || kinds.has('fraction')) yield* numbers(all.parts, hints)
      if (kinds.has('null')) yield null
      if (kinds.has('boolean')) yield* [true, false]
      for (const hint of hints) if (hint.enum) yield* hint.enum.slice(0, 200)
    }
    if (kinds.has('object')) yield* new ObjectValues(this, all, hints, way).values()
    if (kinds.has('array')) yield* new ListValues(this, all, hints, way).values()
  }
}

function* samples(kinds: ReadonlySet<Kind>): Generator<unknown> {
  const each: Readonly<Record<Kind, unknown>> = {
    string: 'text',
    integer: 1,
    fraction: 0.5,
    null: null,
    boolean: true,
    array: [],
    object: {},
  }
  for (const kind of kinds) yield each[kind]
}

/** Takes turns between sources: the first case of a union has thousands of values, and the wanted one may be in the last. */
function* inTurns<Value>(sources: readonly Generator<Value>[]): Generator<Value> {
  for (let left = sources; left.length > 0; ) {
    const going: Generator<Value>[] = []
    for (const source of left) {
      const { done, value } = source.next()
      if (done) continue
      yield value
      going.push(source)
    }
    left = going
  }
}

/** Yields the cases of a conjunction's unions. */
function* opened(all: Conjunction, depth: number = 0): Generator<Conjunction> {
  if (isEmpty(all)) return
  const cases = depth < 5 ? all.cases() : undefined
  if (!cases) yield all
  else for (const each of cases) yield* opened(each, depth + 1)
}
