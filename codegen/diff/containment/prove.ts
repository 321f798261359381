import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { arrayRules } from './array-rules.ts'
import { Conjunction } from './conjunction.ts'
import { finiteValues, isEmpty, possibleKinds } from './kinds.ts'
import { objectRules } from './object-rules.ts'
import type { Gap, Location, Prover } from './prover.ts'
import { scalarRules } from './scalar-rules.ts'
import type { Universe } from './universe.ts'

/** Step limit of a proof. Beyond it the answer is "unknown", never a wrong one. */
const mostSteps = 20_000
/** The deepest nesting of case distinctions. */
const mostSplits = 6
/** The position of no open goal: beyond all of them. */
const noGoal = Number.POSITIVE_INFINITY
/** The most gaps that a goal has. One is enough to know that it is not proven, and nobody reads more. */
const mostGaps = 200

/**
 * Proves that every value of the first schema is valid under the second. Returns what is not proven as gaps; none means that
 * it holds. Sound but not complete: a gap may be a real difference, or only something that no rule decides.
 */
export function proveContained(universe: Universe): Gap[] {
  return new Proof().prove(new Conjunction([universe.first], universe), universe.second, [])
}

class Proof implements Prover {
  #steps = 0
  /** The goals that are being proven, the outermost first. */
  readonly #open = new Map<string, OpenGoal>()
  /** What is known of goals, so that definitions that each refer to the next twice do not double the work. */
  readonly #known = new Map<string, Known>()
  /** The keys of what is known while an open goal is assumed, in the order in which they were proven. */
  readonly #assuming: string[] = []
  /** The position of the outermost open goal that answers since the innermost one was opened depend on. */
  #outermost = noGoal
  #splits = 0

  prove(all: Conjunction, wanted: Schema, location: Location): Gap[] {
    if (wanted === true || isEmpty(all)) return []
    if (++this.#steps > mostSteps) return [{ location, keyword: 'size', wants: undefined }]
    const text = all.universe.text(wanted)
    if (all.texts.has(text)) return []
    const key = `${all.text} < ${text}`
    const known = this.#known.get(key)
    if (known && this.#applies(known, location)) {
      this.#dependOn(known.assumes)
      return inside(location, known.gaps)
    }
    const opened = this.#open.get(key)
    if (opened) {
      this.#dependOn(opened.position)
      // By induction: the value there is smaller.
      return opened.depth < location.length ? [] : [{ location, keyword: 'size', wants: undefined }]
    }
    return this.#remember(key, location, () => this.#proveOpen(all, wanted, location).slice(0, mostGaps))
  }

  #dependOn(position: number): void {
    this.#outermost = Math.min(this.#outermost, position)
  }

  /** Whether what is known answers the goal here. What assumes an open goal does so only for values as small as its own. */
  #applies({ gaps, splits, assumes, depth }: Known, location: Location): boolean {
    if (gaps.length > 0) return splits <= this.#splits // With more case distinctions left, it may be proven.
    return assumes === noGoal || depth <= location.length
  }

  /**
   * Proves a goal and remembers the answer: for good if it depends on no goal around it; otherwise only that it is proven, as
   * long as those goals are not refuted.
   */
  #remember(key: string, location: Location, work: () => Gap[]): Gap[] {
    const outer = this.#outermost
    const firstAssuming = this.#assuming.length
    const position = this.#open.size
    this.#outermost = noGoal
    this.#open.set(key, { position, depth: location.length })
    const gaps = work()
    this.#open.delete(key)
    const assumes = this.#outermost < position ? this.#outermost : noGoal
    this.#conclude(firstAssuming, gaps.length === 0, assumes)
    if (assumes === noGoal || gaps.length === 0) {
      const found = {
        splits: this.#splits,
        gaps: relativeTo(location, gaps),
        assumes,
        depth: location.length,
      }
      this.#known.set(key, found)
      if (assumes !== noGoal) this.#assuming.push(key)
    }
    this.#outermost = Math.min(outer, assumes)
    return gaps
  }

  /** Settles what was proven while a goal was assumed: it is refuted, or proven, under further assumptions or none. */
  #conclude(first: number, isProven: boolean, assumes: number): void {
    const keys = this.#assuming.splice(first)
    for (const key of keys) {
      const known = this.#known.get(key)
      if (!isProven) this.#known.delete(key)
      else if (known) this.#known.set(key, { ...known, assumes })
    }
    if (isProven && assumes !== noGoal) this.#assuming.push(...keys)
  }

  #proveOpen(all: Conjunction, wanted: JsonSchema | false, location: Location): Gap[] {
    if (wanted === false)
      return this.#byCases(all, wanted, location, [{ location, keyword: 'not', wants: {} }])
    const values = finiteValues(all)
    if (values) return finiteGaps(values, all, wanted, location)
    const gaps = [
      ...scalarRules(this, all, wanted, location),
      ...arrayRules(this, all, wanted, location),
      ...objectRules(this, all, wanted, location),
      ...this.#combinations(all, wanted, location),
    ]
    return gaps.length === 0 ? gaps : this.#byCases(all, wanted, location, gaps)
  }

  /** Tries a proof by cases: the goal may hold for each alternative of a union. */
  #byCases(all: Conjunction, wanted: Schema, location: Location, gaps: Gap[]): Gap[] {
    if (this.#contradictsNot(all, location)) return []
    if (this.#splits >= mostSplits) return gaps
    const cases = all.cases() ?? kindCases(all, wanted)
    if (!cases) return gaps
    this.#splits++
    const found = cases.flatMap((each) => this.prove(each, wanted, location))
    this.#splits--
    return distinct(found)
  }

  /** Whether the conjunction contradicts the `not` of one of its parts, so that no value exists. */
  #contradictsNot(all: Conjunction, location: Location): boolean {
    return all.parts.some((part) => {
      if (part.not === undefined || this.#splits >= mostSplits) return false
      const { not, ...rest } = part
      const others = all.of([...all.parts.filter((other) => other !== part), rest])
      return this.#quietly(others, not, location)
    })
  }

  #quietly(all: Conjunction, wanted: Schema, location: Location): boolean {
    this.#splits++
    const holds = this.prove(all, wanted, location).length === 0
    this.#splits--
    return holds
  }

  #combinations(all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
    const { $ref, allOf = [], anyOf, oneOf, not, if: condition, then = true, else: otherwise = true } = wanted
    return [
      ...($ref === undefined ? [] : this.prove(all, all.universe.target($ref), location)),
      ...allOf.flatMap((part) => this.prove(all, part, location)),
      ...(anyOf ? this.#anyOf(all, anyOf, location) : []),
      ...(oneOf ? this.#oneOf(all, oneOf, location) : []),
      ...(not === undefined || this.#areDisjoint(all, not, location)
        ? []
        : [{ location, keyword: 'not', wants: not }]),
      ...(condition === undefined
        ? []
        : [
            ...this.prove(all.and(condition as Schema), then as Schema, location),
            ...this.prove(all.and({ not: condition as Schema }), otherwise as Schema, location),
          ]),
    ]
  }

  #anyOf(all: Conjunction, branches: readonly Schema[], location: Location): Gap[] {
    const tried: Gap[][] = []
    for (const branch of branches) {
      if (isEmpty(all.and(branch))) continue
      const gaps = this.prove(all, branch, location)
      if (gaps.length === 0) return []
      tried.push(gaps)
    }
    const [only] = tried
    return tried.length === 1 && only ? only : [{ location, keyword: 'anyOf', wants: branches }]
  }

  #oneOf(all: Conjunction, branches: readonly Schema[], location: Location): Gap[] {
    const near = branches.filter((branch) => !this.#areDisjoint(all, branch, location))
    const [only] = near
    if (near.length === 1 && only !== undefined) return this.prove(all, only, location)
    return [{ location, keyword: 'oneOf', wants: branches }]
  }

  #areDisjoint(all: Conjunction, other: Schema, location: Location): boolean {
    const both = all.and(other)
    if (isEmpty(both)) return true
    if (this.#splits >= mostSplits) return false
    return this.#quietly(both, false, location)
  }
}

/** A goal that is being proven: its position among the open ones, and its depth in the value. */
interface OpenGoal {
  readonly position: number
  readonly depth: number
}

/** The answer for a goal. */
interface Known {
  /** Relative to its location. */
  readonly gaps: readonly Gap[]
  /** How many case distinctions there were around it. */
  readonly splits: number
  /** The position of the outermost open goal that the answer assumes, or {@link noGoal}. */
  readonly assumes: number
  /** Its depth in the value. */
  readonly depth: number
}

function relativeTo(location: Location, gaps: readonly Gap[]): Gap[] {
  return gaps.map((gap) => ({ ...gap, location: gap.location.slice(location.length) }))
}

function inside(location: Location, gaps: readonly Gap[]): Gap[] {
  return gaps.map((gap) => ({ ...gap, location: [...location, ...gap.location] }))
}

function finiteGaps(
  values: readonly unknown[],
  all: Conjunction,
  wanted: JsonSchema,
  location: Location,
): Gap[] {
  const { universe } = all
  // Compares long lists by the values' texts in a set, not pairwise.
  const { enum: listed, ...rest } = wanted
  const texts = listed && new Set(listed.map((value) => universe.valueText(value)))
  const isRefused = (value: unknown): boolean =>
    (texts !== undefined && !texts.has(universe.valueText(value))) ||
    !universe.accepts(restOf(wanted, rest), value)
  const refused = values.filter(isRefused)
  if (refused.length === 0) return []
  const unlisted = texts && refused.filter((value) => !texts.has(universe.valueText(value)))
  const keyword = unlisted && unlisted.length > 0 ? 'enum' : (Object.keys(rest)[0] ?? 'enum')
  return [{ location, keyword, wants: wanted[keyword], refused }]
}

const restsOf = new WeakMap<JsonSchema, JsonSchema>()

/** Caches the rest of a schema: the same object each time, so that its check is compiled once. */
function restOf(wanted: JsonSchema, rest: JsonSchema): JsonSchema {
  const known = restsOf.get(wanted) ?? rest
  restsOf.set(wanted, known)
  return known
}

/** Splits by type: unions of the second schema often have an alternative per type. */
function kindCases(all: Conjunction, wanted: Schema): Conjunction[] | undefined {
  if (typeof wanted === 'boolean') return undefined
  const isUnion = ['anyOf', 'oneOf', 'if', 'not', '$ref', 'allOf'].some(
    (keyword) => wanted[keyword] !== undefined,
  )
  const types = new Set(
    [...possibleKinds(all)].map((kind) => (kind === 'fraction' || kind === 'integer' ? 'number' : kind)),
  )
  return isUnion && types.size > 1 ? [...types].map((type) => all.and({ type: [type] })) : undefined
}

/** Removes equal gaps of several cases. */
function distinct(gaps: readonly Gap[]): Gap[] {
  const seen = new Map<string, Gap>()
  for (const gap of gaps) {
    const key = JSON.stringify([gap.location, gap.keyword, gap.wants])
    const known = seen.get(key)
    seen.set(key, known ? { ...known, refused: [...(known.refused ?? []), ...(gap.refused ?? [])] } : gap)
  }
  return [...seen.values()]
}
