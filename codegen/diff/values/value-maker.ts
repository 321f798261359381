import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from '../containment/conjunction.ts'
import type { Location } from '../containment/prover.ts'

/** Deeper values are not made up. */
export const deepest = 6
/** Longer lists and larger objects are not made. */
export const mostMembers = 20_000
/** How many values of a part are tried in the place of one. */
const perPart = 60
/** How many are tried where it was said where to look. */
const perFocus = 400

/** Where to look: what lies beside the way stays as simple as can be. */
export interface Focus {
  readonly location: Location
  /** Values to try there first. */
  readonly values: readonly unknown[]
}

/** Makes the values of parts, for those who make values of them. */
export interface ValueMaker {
  /** The first value that can be made; undefined for none. */
  simplest(all: Conjunction, depth: number): { readonly value: unknown } | undefined
  /** @param wanted Schemas that might refuse the values: their bounds, lists and names are tried on both sides. */
  matching(all: Conjunction, wanted: readonly Schema[], options?: MatchingOptions): Generator<unknown>
}

/** Where values are made, and what else is asked of them. */
export interface MatchingOptions {
  readonly focus?: Focus | undefined
  /** How deep the value lies in the one that it is a part of; 0 by default. */
  readonly depth?: number
  /** What the other side asks of the value. */
  readonly strict?: readonly Schema[]
}

/** How a place is looked into on the way to the focus. */
export interface Way {
  /** The next step towards the focus; `*` for any member or item that is not named; undefined at the end. */
  readonly next: string | undefined
  /** The focus as it is from there. */
  readonly inside: Focus | undefined
  /** What the other side asks of the value: whatever lies beside the way keeps to it, where it can. */
  readonly strict: readonly Schema[]
  /** How deep the place lies. */
  readonly depth: number
}

/** How many values of a part are worth a try. */
export function triesFor(inside: Focus | undefined): number {
  return inside ? perFocus : perPart
}

/** The first values, each in a box, since a value may be undefined. */
export function firstOf<Value>(values: Iterable<Value>, most: number): { readonly value: Value }[] {
  const first: { readonly value: Value }[] = []
  if (most <= 0) return first
  for (const value of values) {
    first.push({ value })
    if (first.length >= most) break
  }
  return first
}
