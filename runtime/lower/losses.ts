import type { DialectName } from '../dialects/dialect-name.ts'

/**
 * How a keyword was lowered: described in words, approximated by something that is not quite the same, or dropped.
 */
export type Action = 'described' | 'approximated' | 'dropped'

/** A keyword of the declared schema that a dialect does not express exactly. */
export interface Loss {
  readonly dialect: DialectName
  /** The Tool; absent for shared definitions and for the parts of the schema around the Tools. */
  readonly tool?: string
  /** JSON pointer of the subschema with the keyword, in the declared schema. */
  readonly pointer: string
  readonly keyword: string
  /** The keyword's value; undefined if the loss concerns the default of an absent keyword. */
  readonly value: unknown
  readonly action: Action
  /** `validator`: the validator still enforces it. `none`: it never constrained a value. */
  readonly enforcedBy: 'validator' | 'none'
}

/** The substitute forms of values that a dialect cannot express. `lift` reverses each exactly. */
export type StandInKind =
  /** A record as a list of `{ key, value }`. */
  | 'entries'
  /** A value as JSON text. */
  | 'json'
  /** A tuple as an object with a property for each item. */
  | 'tuple'
  /** `{ <marker>: true }` for an absent value, if null has a meaning of its own. */
  | 'marker'
  /** The undeclared properties of an object in a property of their own. */
  | 'rest'
  /** A root that is not an object, wrapped in one. */
  | 'wrapped'
  /** A parameter under a name that the provider accepts. */
  | 'renamed'

/** A place where values are sent in a substitute form. Nothing is lost. */
export interface StandIn {
  readonly dialect: DialectName
  readonly tool?: string
  /** JSON pointer in the declared schema. */
  readonly pointer: string
  readonly kind: StandInKind
}
