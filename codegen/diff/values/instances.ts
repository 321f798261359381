import { isJsonObject } from '../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import { finiteValues, isEmpty, type Kind, possibleKinds } from '../containment/kinds.ts'
import { itemSchemas, memberSchemas, mostItems, namedMembers, possibleNames } from '../containment/members.ts'
import type { Location } from '../containment/prover.ts'
import { hintsOf, itemHints, memberHints, numbersIn } from './hints.ts'
import { numbers, texts } from './scalars.ts'

/** Deeper values are not made up. */
const deepest = 6
/** How many values of a part are tried in the place of one. */
const perPart = 60
/** The same where it was said where to look. */
const perFocus = 400
/** Longer lists and larger objects are not made. */
const mostMembers = 20_000
/** Cases of unions that are looked into. */
const mostCases = 40

/** Where to look: what lies beside the way stays as simple as can be. */
export interface Focus {
  readonly location: Location
  /** Values to try there first. */
  readonly values: readonly unknown[]
}

/**
 * Makes values that satisfy a conjunction, simple ones first, each differing from a simple one in one place. Hints are the
 * schemas that might refuse them: their bounds, lists and names are tried on both sides.
 */
export class Instances {
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
    const [found] = firstOf(this.matching(all, [], undefined, depth), 1)
    this.#open.delete(key)
    if (found) this.#simplest.set(key, found)
    else if (this.#circles === before) this.#impossible.add(attempt)
    return found
  }

  *matching(
    all: Conjunction,
    wanted: readonly Schema[],
    focus?: Focus,
    depth: number = 0,
    strict: readonly Schema[] = [],
  ): Generator<unknown> {
    const target = (reference: string): Schema => all.universe.target(reference)
    const hints = hintsOf(wanted, target)
    let cases = 0
    for (const each of opened(all)) {
      if (++cases > mostCases) return
      for (const value of this.#plain(each, hints, focus, { depth, strict })) {
        if (all.parts.every((part) => all.universe.accepts(part, value)) && !all.isFalse) yield value
      }
    }
  }

  *#plain(
    all: Conjunction,
    hints: readonly JsonSchema[],
    focus: Focus | undefined,
    { depth, strict }: { readonly depth: number; readonly strict: readonly Schema[] },
  ): Generator<unknown> {
    const [next, ...further] = focus?.location ?? []
    const inside = next === undefined || !focus ? undefined : { location: further, values: focus.values }
    if (focus && next === undefined) yield* focus.values
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
    if (kinds.has('object')) yield* this.#objects(all, hints, { next, inside, strict }, depth)
    if (kinds.has('array')) yield* this.#arrays(all, hints, { next, inside, strict }, depth)
  }

  *#objects(
    all: Conjunction,
    hints: readonly JsonSchema[],
    { next, inside, strict }: Way,
    depth: number,
  ): Generator<unknown> {
    const both = all.and(...strict)
    const base = (strict.length > 0 ? this.#base(both, depth) : undefined) ?? this.#base(all, depth)
    if (!base) return
    const other = all.of(strict)
    const allowed = possibleNames(all)
    const isAllowed = (name: string): boolean => !allowed || allowed.includes(name)
    const member = (name: string): Conjunction => all.of(memberSchemas(all, name))
    const with_ = (name: string, value: unknown): object => ({ ...base, [name]: value })
    const loose = this.#base(all, depth) ?? base
    if (next === undefined) yield* [base, loose]
    else if (inside?.location.length === 0 && Object.hasOwn(base, next)) yield without(base, next)
    if (depth >= deepest) return
    const hinted = hints.flatMap(({ properties = {}, required = [] }) => [
      ...Object.keys(properties),
      ...required,
    ])
    const strange = ['extra', ...patternNames(hints, all), 'x-extra', 'A', '0', 'a b', '']
    const names = new Set([...namedMembers(all), ...hinted, ...(allowed ?? strange)])
    const onWay =
      next === undefined
        ? [...names]
        : next === '*'
          ? [...names].filter((name) => !hinted.includes(name))
          : [next]
    for (const name of onWay) {
      if (!isAllowed(name)) continue
      const more = companions(all, name, base, (other) => this.simplest(member(other), depth + 1))
      for (const { value } of firstOf(
        this.matching(member(name), memberHints(hints, name), inside, depth + 1, memberSchemas(other, name)),
        inside && next !== '*' ? perFocus : perPart,
      ))
        yield { ...more, ...with_(name, value) }
    }
    if (next !== undefined) return
    yield* this.#sizes(all, hints, loose, [...names].filter(isAllowed), depth)
  }

  /** As many members as either side counts to. */
  *#sizes(
    all: Conjunction,
    hints: readonly JsonSchema[],
    base: Readonly<Record<string, unknown>>,
    names: readonly string[],
    depth: number,
  ): Generator<unknown> {
    const counts = numbersIn([...all.parts, ...hints], 'minProperties', 'maxProperties')
    const sizes = new Set([names.length, ...counts.flatMap((count) => [count - 1, count, count + 1])])
    for (const size of sizes) {
      if (size > mostMembers) continue
      const grown: Record<string, unknown> = { ...base }
      const further = Array.from({ length: Math.max(0, size) }, (_, index) => `member${index}`)
      for (const name of [...names, ...further]) {
        if (Object.keys(grown).length >= size) break
        if (Object.hasOwn(grown, name)) continue
        const found = this.simplest(all.of(memberSchemas(all, name)), depth + 1)
        if (found) grown[name] = found.value
      }
      yield grown
    }
  }

  /** What is required, and nothing else. */
  #base(all: Conjunction, depth: number): Record<string, unknown> | undefined {
    const members: [string, unknown][] = []
    for (const name of all.required) {
      const found = this.simplest(all.of(memberSchemas(all, name)), depth + 1)
      if (!found) return undefined
      members.push([name, found.value])
    }
    const least = all.most('minProperties') ?? 0
    const more = possibleNames(all) ?? [
      ...namedMembers(all),
      ...Array.from({ length: Math.min(least, mostMembers) }, (_, index) => `member${index}`),
    ]
    for (const name of more) {
      if (members.length >= least) break
      if (all.required.has(name)) continue
      const found = this.simplest(all.of(memberSchemas(all, name)), depth + 1)
      if (found) members.push([name, found.value])
    }
    return Object.fromEntries(members)
  }

  *#arrays(
    all: Conjunction,
    hints: readonly JsonSchema[],
    { next, inside, strict }: Way,
    depth: number,
  ): Generator<unknown> {
    const least = all.most('minItems') ?? 0
    const most = mostItems(all)
    const item = (index: number): Conjunction => all.of(itemSchemas(all, index))
    const strictly = (index: number): Conjunction => item(index).and(...itemSchemas(all.of(strict), index))
    const made = (length: number): unknown[] | undefined => {
      const items = Array.from(
        { length },
        (_, index) => this.simplest(strictly(index), depth + 1) ?? this.simplest(item(index), depth + 1),
      )
      return items.every((each) => each !== undefined) ? items.map((each) => each?.value) : undefined
    }
    const contained = this.#contained(all, depth)
    const base = made(Math.max(0, Math.min(least, mostMembers) - contained.length))
    if (base === undefined || least > mostMembers) return
    const start = [...contained, ...base]
    if (next === undefined) {
      if (contained.length > 0 || least > 0 || most === 0) yield start
      else yield []
    }
    if (depth >= deepest) return
    const place = next === undefined || next === '*' ? undefined : Number(next)
    for (const index of place === undefined ? [start.length, 0, 1] : [place]) {
      if (index >= most) continue
      const before = start.length >= index ? start.slice(0, index) : made(index)
      if (!before) continue
      for (const { value } of firstOf(
        this.matching(
          item(index),
          itemHints(hints, index),
          inside,
          depth + 1,
          itemSchemas(all.of(strict), index),
        ),
        inside ? perFocus : perPart,
      )) {
        const list = [...before, value, ...start.slice(index + 1)]
        yield list
        yield [...list, value]
        if (contained.length > 0) yield [...list, ...contained]
      }
    }
    if (next !== undefined) return
    const counts = numbersIn([...all.parts, ...hints], 'minItems', 'maxItems', 'minContains', 'maxContains')
    const lengths = new Set([
      1,
      2,
      3,
      ...counts.flatMap((count) => [count - 1, count, count + 1]),
      ...hints.map(({ prefixItems }) => (prefixItems?.length ?? 0) + 1),
    ])
    for (const length of lengths) {
      if (length < 0 || length > mostMembers) continue
      const list = made(length)
      if (list) yield list
      const varied = firstOf(this.matching(item(0), itemHints(hints, 0), undefined, depth + 1), length)
      if (varied.length === length) yield varied.map(({ value }) => value)
      for (const { value } of firstOf(this.matching(item(0), itemHints(hints, 0), undefined, depth + 1), 8))
        yield Array(length).fill(value)
    }
  }

  #contained(all: Conjunction, depth: number): unknown[] {
    return all.parts.flatMap(({ contains, minContains = 1 }) => {
      if (contains === undefined || depth >= deepest) return []
      const found = this.simplest(all.of([contains, ...itemSchemas(all, 0)]), depth + 1)
      return found ? Array(Math.min(Number(minContains), 100)).fill(found.value) : []
    })
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

function without(base: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(base).filter(([key]) => key !== name))
}

interface Way {
  readonly next: string | undefined
  readonly inside: Focus | undefined
  /** What the other side asks of the value: whatever lies beside the way keeps to it, where it can. */
  readonly strict: readonly Schema[]
}

/** A conjunction by the cases of its unions, one after the other. */
function* opened(all: Conjunction, depth: number = 0): Generator<Conjunction> {
  if (isEmpty(all)) return
  const cases = depth < 5 ? all.cases() : undefined
  if (!cases) yield all
  else for (const each of cases) yield* opened(each, depth + 1)
}

/** What has to be there too when a property is. */
function companions(
  all: Conjunction,
  name: string,
  base: Readonly<Record<string, unknown>>,
  simplest: (name: string) => { readonly value: unknown } | undefined,
): Record<string, unknown> {
  const added: Record<string, unknown> = { ...base }
  const { required } = all.and({ required: [name] })
  for (const other of required) {
    if (other === name || Object.hasOwn(added, other)) continue
    const found = simplest(other)
    if (found) added[other] = found.value
  }
  return added
}

/** Names that a side's patterns speak of, by their own letters. */
function patternNames(hints: readonly JsonSchema[], all: Conjunction): string[] {
  const patterns = [...hints, ...all.parts].flatMap(({ patternProperties = {}, propertyNames }) => [
    ...Object.keys(patternProperties),
    ...(isJsonObject(propertyNames) && typeof propertyNames.pattern === 'string'
      ? [propertyNames.pattern]
      : []),
  ])
  const lengths = [...hints, ...all.parts].flatMap(({ propertyNames }) =>
    isJsonObject(propertyNames) ? numbersIn([propertyNames], 'minLength', 'maxLength') : [],
  )
  return [
    ...patterns.flatMap((pattern) =>
      [...firstOf(texts([{ pattern }], []), 8)].map(({ value }) => String(value)),
    ),
    ...lengths.flatMap((length) =>
      length < 10_000 ? ['n'.repeat(length + 1), 'n'.repeat(Math.max(0, length - 1))] : [],
    ),
  ]
}

function firstOf<Value>(values: Iterable<Value>, most: number): { readonly value: Value }[] {
  const first: { readonly value: Value }[] = []
  if (most <= 0) return first
  for (const value of values) {
    first.push({ value })
    if (first.length >= most) break
  }
  return first
}
