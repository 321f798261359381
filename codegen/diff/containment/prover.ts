import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'

/** The path to a part of a value: property names, indexes, and `*` for any other property or item. */
export type Location = readonly string[]

/** Values that the first schema accepts and the second may refuse. */
export interface Gap {
  /** Where in the value. */
  readonly location: Location
  /** The keyword of the second schema that is not certain to hold. */
  readonly keyword: string
  /** The value of that keyword. */
  readonly wants: unknown
  /** Values at that location which the second schema refuses, if known. */
  readonly refused?: readonly unknown[]
}

/** The part of the prover that rules of keywords use. */
export interface Prover {
  /** Proves that each value of a conjunction satisfies a schema. Returns the gaps. */
  prove(all: Conjunction, wanted: Schema, location: Location): Gap[]
}

/** Proves that the values of a conjunction satisfy certain keywords of a schema. */
export type Rules = (
  prover: Prover,
  all: Conjunction,
  wanted: Exclude<Schema, boolean>,
  location: Location,
) => Gap[]
