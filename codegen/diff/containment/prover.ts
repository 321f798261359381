import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'

/** The way to a part of a value: names of properties, indexes, and `*` for any further one. */
export type Location = readonly string[]

/** Something that the first schema lets through and the second may not. */
export interface Gap {
  /** Where in the value. */
  readonly location: Location
  /** The keyword of the second schema that is not certain to hold. */
  readonly keyword: string
  /** What that keyword asks. */
  readonly wants: unknown
  /** Values for that place which the second schema refuses, where they are known. */
  readonly refused?: readonly unknown[]
}

/** What the rules of single keywords are given. */
export interface Prover {
  /** Proves that each value of a conjunction satisfies a schema; what is not proven is a gap. */
  prove(all: Conjunction, wanted: Schema, location: Location): Gap[]
}

/** Proves what some keywords of a schema ask, for the values of a conjunction. */
export type Rules = (
  prover: Prover,
  all: Conjunction,
  wanted: Exclude<Schema, boolean>,
  location: Location,
) => Gap[]
