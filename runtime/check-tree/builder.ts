import type { Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import type { CheckTree } from './tree.ts'

/** The context that the parts of a tree are built in. */
export interface Builder {
  /** Builds the tree of a subschema. */
  readonly tree: (schema: Schema) => CheckTree
  readonly references: References
}
