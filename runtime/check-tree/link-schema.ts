import { never, rememberStep } from '../checks/check.ts'
import { guardPattern } from '../checks/guard-pattern.ts'
import type { Step } from '../checks/step.ts'
import type { Schema } from '../schema/schema.ts'
import { buildCheck, type Definitions } from './definitions.ts'
import { linkStep } from './link-check.ts'
import { patternsIn } from './patterns.ts'
import type { References } from './references.ts'

/**
 * Links a schema, and the definitions it references, to the functions that check it, without evaluating code.
 *
 * @param schema Must have passed `unsupportedSchema`; otherwise parts of it would be checked incorrectly.
 */
export function linkSchema(schema: Schema, references: References): Step {
  for (const pattern of patternsIn(schema)) guardPattern(pattern)
  const { tree, ...definitions } = buildCheck(schema, references)
  return linkStep(tree, linkDefinitions(definitions))
}

/** Links the trees of definitions to the functions that check them. Returns a function that finds one by name. */
export function linkDefinitions({ trees, revisited }: Definitions): (name: string) => Step {
  const steps = new Map<string, Step>()
  const definition = (name: string): Step => steps.get(name) ?? never
  for (const [name, each] of trees) {
    steps.set(name, rememberStep(linkStep(each, definition), revisited.has(name)))
  }
  return definition
}
