import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { SourcePosition } from '../model.ts'

/** A Tool on one side of a comparison. */
export interface ContractTool {
  readonly name: string
  /** The whole schema, with the definitions that it reaches as `$defs`. */
  readonly schema: ToolSchema
  /** The Activity of its Calls, `''` for a latent Tool; undefined if the source does not tell. */
  readonly activity: string | undefined
  /** Finds the source position of a part, by JSON pointer into the schema; only if the definition was read. */
  readonly locate?: (pointer: string) => SourcePosition
}

/** The Tools of one set of definitions. */
export interface ContractSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: readonly ContractTool[]
}
