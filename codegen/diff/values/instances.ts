import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import { finiteValues, isEmpty, type Kind, possibleKinds } from '../containment/kinds.ts'
import { hintsOf } from './hints.ts'
import { ListValues } from './list-values.ts'
import { ObjectValues } from './object-values.ts'
import { numbers, texts } from './scalars.ts'
import { deepest, firstOf, type MatchingOptions, type ValueMaker, type Way } from './value-maker.ts'

/** Cases of unions that are looked into. */
const mostCases = 40

/**
 * Makes values that satisfy a conjunction, simple ones first, each differing from a simple one in one place. Hints are the
 * schemas that might refuse them: their bounds, lists and names are tried on both sides.
 */
export class Instances implements ValueMaker {
  readonly #simplest = new Map<string, { readonly value: unknown }>()
  /** What no value can be made for, with how much may be tried there: otherwise each level would ask twice for the next. */
  readonly #impossible = new Set<string>()
  /** What is being made right now. */
  readonly #open = new Set<string>()
  /** How often a value was refused because it needs itself, which says nothing about it elsewhere. */
  #circles = 0

  /** The first value that can be made; undefined for none. */
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
    const [found] = firstOf(this.matching(all, [], { depth }), 1)
    this.#open.delete(key)
    if (found) this.#simplest.set(key, found)
    else if (this.#circles === before) this.#impossible.add(attempt)
    return found
  }

  *matching(all: Conjunction, wanted: readonly Schema[], options: MatchingOptions = {}): Generator<unknown> {
    const target = (reference: string): Schema => all.universe.target(reference)
    const hints = hintsOf(wanted, target)
    const cases = [...firstOf(opened(all), mostCases)].map(({ value }) => this.#plain(value, hints, options))
    for (const value of inTurns(cases)) {
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
      // One of each kind first: what is refused for its kind is refused most simply.
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

/** One value of each, then the next of each: the first case of a union has thousands, and what is looked for may be in the last. */
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

/** A conjunction by the cases of its unions, one after the other. */
function* opened(all: Conjunction, depth: number = 0): Generator<Conjunction> {
  if (isEmpty(all)) return
  const cases = depth < 5 ? all.cases() : undefined
  if (!cases) yield all
  else for (const each of cases) yield* opened(each, depth + 1)
}
