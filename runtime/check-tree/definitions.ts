import type { Schema } from '../schema/schema.ts'
import { checkTree } from './build.ts'
import { referredIn, revisitedDefinitions } from './reached.ts'
import type { References } from './references.ts'
import type { CheckTree } from './tree.ts'

/** The trees of the definitions that some schemas reference, with facts about all of them together. */
export interface Definitions {
  readonly trees: ReadonlyMap<string, CheckTree>
  /** Definitions that one check can apply to the same value several times. */
  readonly revisited: ReadonlySet<string>
}

/** Builds the trees of named definitions and of all definitions they reference. */
export function buildDefinitions(names: Iterable<string>, references: References): Definitions {
  const trees = new Map<string, CheckTree>()
  const pending = new Set(names)
  for (const name of pending) {
    const tree = checkTree(references.schemaOf(name) ?? false, references)
    trees.set(name, tree)
    for (const next of referredIn(tree)) pending.add(next)
  }
  return { trees, revisited: revisitedDefinitions(trees) }
}

/** Builds the tree of a schema and those of the definitions it references. */
export function buildCheck(
  schema: Schema,
  references: References,
): Definitions & { readonly tree: CheckTree } {
  const tree = checkTree(schema, references)
  return { tree, ...buildDefinitions(referredIn(tree), references) }
}
