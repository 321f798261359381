import type { JsonSchema } from '../../schema/schema.ts'

/**
 * What lowering did to a schema, node by node, so that values can follow it there and back. Undefined wherever the
 * value is the same on both sides.
 */
export type Codec =
  | ObjectCodec
  /** Every item alike. */
  | { readonly kind: 'array'; readonly items: Codec }
  /** The first items one by one, the others alike. */
  | {
      readonly kind: 'prefix'
      readonly items: readonly (Codec | undefined)[]
      readonly rest: Codec | undefined
    }
  | TupleCodec
  /** A record that goes as a list of `{ key, value }`. */
  | { readonly kind: 'entries'; readonly value: Codec | undefined }
  /** A value that goes as JSON text. */
  | { readonly kind: 'json' }
  | UnionCodec
  | { readonly kind: 'ref'; readonly name: string }
  /** A root that goes inside an object, under `name`. */
  | { readonly kind: 'wrapped'; readonly name: string; readonly value: Codec | undefined }
  /** Fixed strings whose capitals a provider may change. */
  | { readonly kind: 'capitals'; readonly values: readonly string[] }

/** One place in an object or a tuple. */
export interface Member {
  readonly value: Codec | undefined
  /** What stands for an absent value: null, or the object `{ <marker>: true }` where null means something. */
  readonly absent?: 'null' | 'marker'
}

export interface ObjectCodec {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Member>
  /** The property that carries what `properties` does not name, as a list of `{ key, value }`. */
  readonly rest?: { readonly name: string; readonly value: Codec | undefined }
  /** The values of free keys that stay where they are. */
  readonly additional?: Codec | undefined
}

/** A tuple that goes as an object. */
export interface TupleCodec {
  readonly kind: 'tuple'
  readonly items: readonly { readonly name: string; readonly member: Member }[]
  readonly rest?: { readonly name: string; readonly value: Codec | undefined }
}

export interface UnionCodec {
  readonly kind: 'union'
  readonly branches: readonly UnionBranch[]
}

/** A branch as lowered. No answer that two branches take means different things in them (see `ambiguous.ts`). */
export interface UnionBranch {
  readonly schema: JsonSchema
  readonly value: Codec | undefined
}

/** What all codecs of one schema share. */
export interface CodecScope {
  readonly definitions: ReadonlyMap<
    string,
    { readonly schema: JsonSchema; readonly value: Codec | undefined }
  >
  /** The one property of the object that stands for an absent value. */
  readonly marker: string
  readonly ignoreCapitals: boolean
}

/**
 * How deep values are followed. Far beyond what a Call holds; a hostile answer of a hundred thousand brackets must not
 * overflow the stack. What lies deeper stays as it is, for the validator to judge.
 */
export const deepestValue = 500
