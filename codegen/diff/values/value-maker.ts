import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import type { Location } from '../containment/prover.ts'

/** The deepest generated value. */
export const deepest = 6
/** The most members of a generated list or object. */
export const mostMembers = 20_000
/** The most values that are tried for a part. */
const perPart = 60
/** The most values that are tried for a part on the path to the focus. */
const perFocus = 400

/** The location to vary. Everything outside its path stays as simple as possible. */
export interface Focus {
  readonly location: Location
  /** Values to try first at that location. */
  readonly values: readonly unknown[]
}

/** Generates the values of parts, for the generators of lists and objects. */
export interface ValueMaker {
  /** Returns the first value that can be generated; undefined if there is none. */
  simplest(all: Conjunction, depth: number): { readonly value: unknown } | undefined
  /** @param wanted Schemas that might refuse the values: values on both sides of their bounds, lists and names are tried. */
  matching(all: Conjunction, wanted: readonly Schema[], options?: MatchingOptions): Generator<unknown>
}

/** Further constraints on generated values. */
export interface MatchingOptions {
  readonly focus?: Focus | undefined
  /** The value's depth in the whole value. Default: 0. */
  readonly depth?: number
  /** The other side's schemas of the value. */
  readonly strict?: readonly Schema[]
}

/** One step of the path to the focus. */
export interface Way {
  /** The next step towards the focus; `*` for any member or item that is not named; undefined at the end. */
  readonly next: string | undefined
  /** The rest of the focus, relative to that step. */
  readonly inside: Focus | undefined
  /** The other side's schemas of the value. Parts outside the path satisfy them if possible. */
  readonly strict: readonly Schema[]
  /** The depth of this location. */
  readonly depth: number
}

/** Returns how many values of a part to try. */
export function triesFor(inside: Focus | undefined): number {
  return inside ? perFocus : perPart
}

/** Takes the first values, each wrapped in an object, since a value may be undefined. */
export function firstOf<Value>(values: Iterable<Value>, most: number): { readonly value: Value }[] {
  const first: { readonly value: Value }[] = []
  if (most <= 0) return first
  for (const value of values) {
    first.push({ value })
    if (first.length >= most) break
  }
  return first
}
