import type { Dialect } from '../dialects/dialect.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Codec } from './codec.ts'
import type { Action, StandInKind } from './losses.ts'
import type { Origins } from './origins.ts'

/** A node as the dialect says it, and what values must do to follow. */
export interface Lowered {
  readonly schema: JsonSchema
  readonly value: Codec | undefined
}

/** Where a node stands, as far as its lowering depends on it. */
export interface Place {
  /** The definition that it is part of. */
  readonly definition: string | undefined
  /** True below an optional property of that definition. */
  readonly optional: boolean
}

/**
 * One lowering under way. The functions that lower one kind of node each get it, and give nodes back to it, so that none
 * of them knows the others. Undefined as a result means that no value is possible there.
 */
export interface Lowering {
  readonly dialect: Dialect
  readonly origins: Origins
  /** Lowers any node. */
  node(node: JsonSchema, place: Place): Lowered | undefined
  /** Both schemas in one; undefined when no value satisfies both. Only inside {@link merging}. */
  intersect(left: JsonSchema, right: JsonSchema): JsonSchema | undefined
  /**
   * Merges schemas and lowers what comes of it. A definition that leads back to itself would be merged into itself
   * without end: there `node` goes as JSON text.
   */
  merging<Merged>(
    node: JsonSchema,
    merge: () => Merged | undefined,
    use: (merged: Merged) => Lowered | undefined,
  ): Lowered | undefined
  /** The located schema of a definition. */
  definition(name: string): JsonSchema | undefined
  /** The definition as lowered so far; undefined while it is being lowered. */
  lowered(name: string): Lowered | undefined
  /** Lowers a definition, once. False when no value is possible. */
  define(name: string): boolean
  /** True when a reference from inside `from` to `to` leads back to `from`. */
  isRecursive(from: string | undefined, to: string): boolean
  /** Records what became of a keyword. */
  lose(node: JsonSchema, keyword: string, action: Action, value?: unknown): void
  /** Records that a node goes in another form, without any loss. */
  standIn(node: JsonSchema, kind: StandInKind): void
  /** Records that something cannot be said at all. What it gives only lets the other problems be found as well. */
  refuse(node: JsonSchema, expected: string, received: string): Lowered
  /** Takes back the losses of a part that is lowered in another way after all. */
  attempt<Result>(action: () => Result, isKept: (result: Result) => boolean): Result
  /** The name of the property that stands for an absent value; asking for it makes it part of the schema. */
  marker(): string
  /** The Tool whose composed branch a node is. */
  branchTool(node: JsonSchema): string | undefined
}
