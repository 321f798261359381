import type { JsonSchema } from '../../schema/schema.ts'

/**
 * Describes how lowering changed a schema, node by node, so that values can be converted in both directions. Undefined for nodes
 * whose values are the same on both sides.
 */
export type Codec =
  | ObjectCodec
  /** One codec for all items of an array. */
  | { readonly kind: 'array'; readonly items: Codec }
  /** A codec for each of the first items, and one for the others. */
  | {
      readonly kind: 'prefix'
      readonly items: readonly (Codec | undefined)[]
      readonly rest: Codec | undefined
    }
  | TupleCodec
  /** A record sent as a list of `{ key, value }`. */
  | { readonly kind: 'entries'; readonly value: Codec | undefined }
  /** A value sent as JSON text. */
  | { readonly kind: 'json' }
  | UnionCodec
  | { readonly kind: 'ref'; readonly name: string }
  /** A root sent inside an object, as the property `name`. */
  | { readonly kind: 'wrapped'; readonly name: string; readonly value: Codec | undefined }
  /** Fixed strings whose capitalisation a provider may change. */
  | { readonly kind: 'capitals'; readonly values: readonly string[] }

/** A property of an object, or an item of a tuple. */
export interface Member {
  readonly value: Codec | undefined
  /** The stand-in for an absent value: null, or the object `{ <marker>: true }` if null has a meaning. */
  readonly absent?: 'null' | 'marker'
}

export interface ObjectCodec {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Member>
  /** The property that contains all undeclared properties, as a list of `{ key, value }`. */
  readonly rest?: { readonly name: string; readonly value: Codec | undefined }
  /** The codec for the values of undeclared properties that are sent in place. */
  readonly additional?: Codec | undefined
}

/** A tuple sent as an object. */
export interface TupleCodec {
  readonly kind: 'tuple'
  readonly items: readonly { readonly name: string; readonly member: Member }[]
  readonly rest?: { readonly name: string; readonly value: Codec | undefined }
}

export interface UnionCodec {
  readonly kind: 'union'
  readonly branches: readonly UnionBranch[]
}

/** A lowered branch. An answer that two branches accept means the same in both (see `ambiguous.ts`). */
export interface UnionBranch {
  readonly schema: JsonSchema
  readonly value: Codec | undefined
}

/** The data that all codecs of one schema share. */
export interface CodecScope {
  readonly definitions: ReadonlyMap<
    string,
    { readonly schema: JsonSchema; readonly value: Codec | undefined } | undefined
  >
  /** The name of the only property of the object that stands for an absent value. */
  readonly marker: string
  readonly ignoreCapitals: boolean
}

/**
 * Deepest level at which values are converted. Far deeper than any Call, while a hostile answer of a hundred thousand brackets must
 * not overflow the stack. Deeper values are not changed; the validator checks them.
 */
export const deepestValue = 500
