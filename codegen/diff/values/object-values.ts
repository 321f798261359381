import { isJsonObject } from '../../../runtime/json/json.ts'
import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import { memberSchemas, namedMembers, possibleNames } from '../containment/members.ts'
import { memberHints, numbersIn } from './hints.ts'
import { texts } from './scalars.ts'
import { deepest, firstOf, mostMembers, triesFor, type ValueMaker, type Way } from './value-maker.ts'

type Members = Record<string, unknown>

/** Generates objects: the simplest, then with other values of each member, then with other sizes. */
export class ObjectValues {
  readonly #maker: ValueMaker
  readonly #all: Conjunction
  readonly #hints: readonly JsonSchema[]
  readonly #way: Way
  /** The only allowed names of members; undefined if they are not limited. */
  readonly #allowed: readonly string[] | undefined

  constructor(maker: ValueMaker, all: Conjunction, hints: readonly JsonSchema[], way: Way) {
    this.#maker = maker
    this.#all = all
    this.#hints = hints
    this.#way = way
    this.#allowed = possibleNames(all)
  }

  *values(): Generator<unknown> {
    const { next, inside, strict } = this.#way
    const strictly = strict.length > 0 ? this.#base(this.#all.and(...strict)) : undefined
    const loose = this.#base(this.#all)
    const base = strictly ?? loose
    if (!base) return
    if (next === undefined) yield* [base, loose ?? base]
    else if (inside?.location.length === 0) yield without(this.#base(this.#all, next) ?? base, next)
    if (this.#way.depth >= deepest) return
    const other = this.#all.of(strict)
    const names = this.#namesOnWay()
    for (const name of names) {
      const values = this.#maker.matching(this.#member(name), memberHints(this.#hints, name), {
        focus: inside,
        depth: this.#way.depth + 1,
        strict: memberSchemas(other, name),
      })
      const others = this.#withCompanions(name, base)
      for (const { value } of firstOf(values, triesFor(next === '*' ? undefined : inside))) {
        yield { ...others, [name]: value }
      }
    }
    if (next === undefined) yield* this.#sizes(loose ?? base, names)
  }

  /** The names to try at the next step towards the focus. */
  #namesOnWay(): string[] {
    const { next } = this.#way
    const hinted = this.#hints.flatMap(({ properties = {}, required = [] }) => [
      ...Object.keys(properties),
      ...required,
    ])
    const strange = ['extra', ...patternNames(this.#hints, this.#all), 'x-extra', 'A', '0', 'a b', '']
    const names = new Set([...namedMembers(this.#all), ...hinted, ...(this.#allowed ?? strange)])
    const onWay =
      next === undefined
        ? [...names]
        : next === '*'
          ? [...names].filter((name) => !hinted.includes(name))
          : [next]
    return onWay.filter((name) => !this.#allowed || this.#allowed.includes(name))
  }

  #member(name: string): Conjunction {
    return this.#all.of(memberSchemas(this.#all, name))
  }

  #simplest(all: Conjunction, name: string): { readonly value: unknown } | undefined {
    return this.#maker.simplest(all.of(memberSchemas(all, name)), this.#way.depth + 1)
  }

  /** Adds the members to the base that a member requires. */
  #withCompanions(name: string, base: Readonly<Members>): Members {
    const added: Members = { ...base }
    const { required } = this.#all.and({ required: [name] })
    for (const other of required) {
      if (other === name || Object.hasOwn(added, other)) continue
      const found = this.#simplest(this.#all, other)
      if (found) added[other] = found.value
    }
    return added
  }

  /** Generates objects with the sizes that either side mentions. */
  *#sizes(base: Readonly<Members>, names: readonly string[]): Generator<unknown> {
    const counts = numbersIn([...this.#all.parts, ...this.#hints], 'minProperties', 'maxProperties')
    const sizes = new Set([names.length, ...counts.flatMap((count) => [count - 1, count, count + 1])])
    for (const size of sizes) {
      if (size > mostMembers) continue
      const grown: Members = { ...base }
      for (const name of [...names, ...madeUpNames(Math.max(0, size))]) {
        if (Object.keys(grown).length >= size) break
        if (Object.hasOwn(grown, name)) continue
        const found = this.#simplest(this.#all, name)
        if (found) grown[name] = found.value
      }
      yield grown
    }
  }

  /** Generates an object with the required members, and others than `avoided` up to the least number of members. */
  #base(all: Conjunction, avoided?: string): Members | undefined {
    const members: [string, unknown][] = []
    for (const name of all.required) {
      const found = this.#simplest(all, name)
      if (!found) return undefined
      members.push([name, found.value])
    }
    const least = all.most('minProperties') ?? 0
    const more = possibleNames(all) ?? [...namedMembers(all), ...madeUpNames(Math.min(least, mostMembers))]
    for (const name of more) {
      if (members.length >= least) break
      if (all.required.has(name) || name === avoided) continue
      const found = this.#simplest(all, name)
      if (found) members.push([name, found.value])
    }
    return Object.fromEntries(members)
  }
}

function madeUpNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `member${index}`)
}

function without(base: Readonly<Members>, name: string): Members {
  return Object.fromEntries(Object.entries(base).filter(([key]) => key !== name))
}

/** Generates names that match the patterns of either side. */
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
