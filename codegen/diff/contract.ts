import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { SourcePosition } from '../model.ts'

/** A Tool as one side of a comparison has it. */
export interface ContractTool {
  readonly name: string
  /** The whole schema, with the definitions that it reaches as `$defs`. */
  readonly schema: ToolSchema
  /** The Activity that its Calls get, `''` for a latent one; undefined where the source does not say. */
  readonly activity: string | undefined
  /** The place of a part of its definition, by JSON pointer into the schema; only where the definition is at hand. */
  readonly locate?: (pointer: string) => SourcePosition
}

/** The Tools of one set of definitions. */
export interface ContractSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: readonly ContractTool[]
}
