import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import { itemSchemas, mostItems } from '../containment/members.ts'
import { itemHints, numbersIn } from './hints.ts'
import { deepest, firstOf, mostMembers, triesFor, type ValueMaker, type Way } from './value-maker.ts'

/** Generates lists: the simplest, then with other items, then with other lengths. */
export class ListValues {
  readonly #maker: ValueMaker
  readonly #all: Conjunction
  readonly #hints: readonly JsonSchema[]
  readonly #way: Way

  constructor(maker: ValueMaker, all: Conjunction, hints: readonly JsonSchema[], way: Way) {
    this.#maker = maker
    this.#all = all
    this.#hints = hints
    this.#way = way
  }

  *values(): Generator<unknown> {
    const { next } = this.#way
    const least = this.#all.most('minItems') ?? 0
    const contained = this.#contained()
    const base = this.#ofLength(Math.max(0, Math.min(least, mostMembers) - contained.length))
    if (base === undefined || least > mostMembers) return
    const start = [...contained, ...base]
    if (next === undefined) {
      if (contained.length > 0 || least > 0 || mostItems(this.#all) === 0) yield start
      else yield []
    }
    if (this.#way.depth >= deepest) return
    const place = next === undefined || next === '*' ? undefined : Number(next)
    for (const index of place === undefined ? [start.length, 0, 1] : [place]) {
      yield* this.#withItem(index, start, contained)
    }
    if (next === undefined) yield* this.#lengths()
  }

  #item(index: number): Conjunction {
    return this.#all.of(itemSchemas(this.#all, index))
  }

  /** The other side's schemas of an item. */
  #strict(index: number): readonly Schema[] {
    return itemSchemas(this.#all.of(this.#way.strict), index)
  }

  #ofLength(length: number): unknown[] | undefined {
    const items = Array.from({ length }, (_, index) => {
      const item = this.#item(index)
      const depth = this.#way.depth + 1
      return (
        this.#maker.simplest(item.and(...this.#strict(index)), depth) ?? this.#maker.simplest(item, depth)
      )
    })
    return items.every((each) => each !== undefined) ? items.map((each) => each?.value) : undefined
  }

  /** Generates lists with other values at one index. */
  *#withItem(index: number, start: readonly unknown[], contained: readonly unknown[]): Generator<unknown> {
    if (index >= mostItems(this.#all)) return
    const before = start.length >= index ? start.slice(0, index) : this.#ofLength(index)
    if (!before) return
    const { inside } = this.#way
    const hints = itemHints(this.#hints, index)
    const values = this.#maker.matching(this.#item(index), hints, {
      focus: inside,
      depth: this.#way.depth + 1,
      strict: this.#strict(index),
    })
    for (const { value } of firstOf(values, triesFor(inside))) {
      const list = [...before, value, ...start.slice(index + 1)]
      yield list
      yield [...list, value]
      if (contained.length > 0) yield [...list, ...contained]
    }
  }

  /** Generates lists with the lengths that either side mentions: of simple, of different and of equal items. */
  *#lengths(): Generator<unknown> {
    const counts = numbersIn(
      [...this.#all.parts, ...this.#hints],
      'minItems',
      'maxItems',
      'minContains',
      'maxContains',
    )
    const lengths = new Set([
      1,
      2,
      3,
      ...counts.flatMap((count) => [count - 1, count, count + 1]),
      ...this.#hints.map(({ prefixItems }) => (prefixItems?.length ?? 0) + 1),
    ])
    for (const length of lengths) {
      if (length < 0 || length > mostMembers) continue
      const list = this.#ofLength(length)
      if (list) yield list
      const varied = this.#firstItems(length)
      if (varied.length === length) yield varied
      for (const value of this.#firstItems(8)) yield Array(length).fill(value)
    }
  }

  #firstItems(most: number): unknown[] {
    const items = this.#maker.matching(this.#item(0), itemHints(this.#hints, 0), {
      depth: this.#way.depth + 1,
    })
    return firstOf(items, most).map(({ value }) => value)
  }

  /** Generates the items that `contains` requires. */
  #contained(): unknown[] {
    return this.#all.parts.flatMap(({ contains, minContains = 1 }) => {
      if (contains === undefined || this.#way.depth >= deepest) return []
      const found = this.#maker.simplest(
        this.#all.of([contains, ...itemSchemas(this.#all, 0)]),
        this.#way.depth + 1,
      )
      return found ? Array(Math.min(Number(minContains), 100)).fill(found.value) : []
    })
  }
}
