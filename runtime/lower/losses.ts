import type { DialectName } from '../dialects/dialect-name.ts'

/**
 * What became of a keyword: said in words in the description, kept or replaced by something that is not quite the same,
 * or left out.
 */
export type Action = 'described' | 'approximated' | 'dropped'

/** A keyword of the declared schema that a dialect does not carry as it is. */
export interface Loss {
  readonly dialect: DialectName
  /** The Tool that it is about; absent for shared definitions and for what stands around the Tools. */
  readonly tool?: string
  /** JSON pointer of the schema that holds the keyword, in the declared schema. */
  readonly pointer: string
  readonly keyword: string
  /** The keyword's value; undefined for what a schema says by leaving the keyword out. */
  readonly value: unknown
  readonly action: Action
  /** `validator`: answers are checked for it all the same. `none`: it never constrained a value. */
  readonly enforcedBy: 'validator' | 'none'
}

/** The forms that a value takes where the dialect cannot say its own. `lift` undoes each exactly. */
export type StandInKind =
  /** A record as a list of `{ key, value }`. */
  | 'entries'
  /** A value as JSON text. */
  | 'json'
  /** A tuple as an object with a property for each item. */
  | 'tuple'
  /** `{ <marker>: true }` for an absent value, where null has a meaning of its own. */
  | 'marker'
  /** The free keys of an object in a property of their own. */
  | 'rest'
  /** A root that is not an object inside one. */
  | 'wrapped'
  /** A parameter under a name that the provider takes. */
  | 'renamed'

/** A place where values take another form on their way to the model and back. Nothing is lost by it. */
export interface StandIn {
  readonly dialect: DialectName
  readonly tool?: string
  /** JSON pointer in the declared schema. */
  readonly pointer: string
  readonly kind: StandInKind
}
