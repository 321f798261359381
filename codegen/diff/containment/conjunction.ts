import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Universe } from './universe.ts'

const conjunctions = new WeakMap<Universe, Map<string, Conjunction>>()

/** Schemas that one value has to satisfy together, with references resolved and `allOf` flattened. */
export class Conjunction {
  /** The schemas without `$ref`, `allOf` and the `unevaluated…` keywords. */
  readonly parts: readonly JsonSchema[]
  /** The texts of all schemas that are known to hold, references included. */
  readonly texts: ReadonlySet<string>
  /** Whether one of the schemas is `false`. */
  readonly isFalse: boolean
  readonly universe: Universe

  constructor(schemas: readonly Schema[], universe: Universe) {
    const texts = new Set<string>()
    const parts = new Map<string, JsonSchema>()
    let isFalse = false
    const pending = [...schemas]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === false) isFalse = true
      if (typeof next === 'boolean') continue
      const text = universe.text(next)
      if (texts.has(text)) continue
      texts.add(text)
      const part = universe.opened(next)
      if (Object.keys(part).length > 0) parts.set(universe.text(part), part)
      if (next.$ref !== undefined) pending.push(universe.target(next.$ref))
      pending.push(...(next.allOf ?? []), ...dependent(part, parts.values()))
    }
    this.parts = [...parts.values()]
    this.texts = texts
    this.isFalse = isFalse
    this.universe = universe
  }

  /**
   * Returns the conjunction of other schemas in the same universe: the same object each time, so that cached facts about it
   * are reused. Without that, definitions that each refer to the next twice would multiply the work.
   */
  of(schemas: readonly Schema[]): Conjunction {
    const known = conjunctions.get(this.universe) ?? new Map<string, Conjunction>()
    conjunctions.set(this.universe, known)
    const key = schemas.map((schema) => this.universe.numberOf(schema)).join()
    const conjunction = known.get(key) ?? new Conjunction(schemas, this.universe)
    known.set(key, conjunction)
    return conjunction
  }

  /** Adds schemas to the conjunction. */
  and(...schemas: readonly Schema[]): Conjunction {
    return schemas.length === 0 ? this : this.of([...this.parts, ...schemas])
  }

  /** A key that is equal for conjunctions of the same schemas. */
  get text(): string {
    const parts = this.parts.map((part) => this.universe.text(part))
    // The parts do not contain the `unevaluated…` keywords.
    const others = [...this.texts].filter((text) => text.includes('"unevaluated'))
    return `${this.isFalse} ${[...parts, ...others].sort().join(' ')}`
  }

  /** The greatest value of a keyword in any part. */
  most(keyword: string): number | undefined {
    return extreme(this.parts, keyword, Math.max)
  }

  /** The least value of a keyword in any part. */
  least(keyword: string): number | undefined {
    return extreme(this.parts, keyword, Math.min)
  }

  /** All values of a keyword in the parts. */
  all(keyword: string): unknown[] {
    return this.parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]))
  }

  get required(): ReadonlySet<string> {
    return new Set(this.parts.flatMap(({ required = [] }) => required))
  }

  /** Splits by the first union or condition into cases; undefined if there is none. */
  cases(): Conjunction[] | undefined {
    for (const part of this.parts) {
      const { anyOf, oneOf, if: condition, then = true, else: otherwise = true, ...rest } = part
      const others = this.parts.filter((other) => other !== part)
      const join = (...schemas: Schema[]): Conjunction => this.of([...others, ...schemas])
      if (anyOf) return anyOf.map((branch) => join(without(part, 'anyOf'), branch))
      if (oneOf) return oneOf.map((branch) => join(without(part, 'oneOf'), branch))
      if (condition === undefined) continue
      return [
        join(rest, condition as Schema, then as Schema),
        join(rest, { not: condition as Schema }, otherwise as Schema),
      ]
    }
    return undefined
  }
}

function without(part: JsonSchema, keyword: string): JsonSchema {
  const { [keyword]: _, ...rest } = part
  return rest
}

function extreme(
  parts: readonly JsonSchema[],
  keyword: string,
  choose: (...values: number[]) => number,
): number | undefined {
  const values = parts.flatMap((part) => (typeof part[keyword] === 'number' ? [part[keyword]] : []))
  return values.length === 0 ? undefined : choose(...values)
}

/** Returns the schemas that `dependentSchemas` adds for properties that are required. */
function dependent(added: JsonSchema, parts: Iterable<JsonSchema>): Schema[] {
  const known = [...parts]
  const required = new Set(known.flatMap((part) => part.required ?? []))
  const from = (added.required?.length ?? 0) > 0 ? known : [added]
  return from.flatMap(({ dependentSchemas }) =>
    Object.entries((dependentSchemas ?? {}) as Record<string, Schema>)
      .filter(([name]) => required.has(name))
      .map(([, schema]) => schema),
  )
}
