import { own } from '../json/json.ts'
import { plainGoal } from '../schema/plain-goal.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { type BranchOptions, branch } from './branch.ts'
import { type ActivityNames, composableTools, type GivenTool } from './composable.ts'
import { addDefinitions, type Definitions, reachable } from './definitions.ts'

export type { ActivityNames, ComposableTool, GivenTool } from './composable.ts'

export interface ComposeOptions extends BranchOptions {
  /** The goal's schema. Without it `output` is left out (REQ-3). */
  readonly output?: Schema | object | undefined
  /** Definitions that several Tools share. Those that nothing refers to are left out. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
  /** For Tools given as plain schemas: which have an Activity (ACT-3a). Not said: all are latent. */
  readonly activities?: ActivityNames | undefined
}

/**
 * The one schema that a model answers in: `{ calls: [one branch per Tool], output }` (REQ-1).
 *
 * Pure and deterministic; the same function runs at generation and at run time. Of two Tools with one name the last
 * one counts (TOOL-8), Tools that are off are left out. What comes back still holds what is optional as optional: give
 * it to {@link lower} for a provider's dialect.
 *
 * @throws CallsheetError `invalid_options` for a plain schema without a `_tool` literal.
 *
 * @example
 * ```ts
 * const schema = compose([weatherCheck], { activities: 'same-name', output: answerSchema })
 * const { schema: sent, lift } = lower(schema, 'openai')
 * ```
 */
export function compose(tools: Iterable<GivenTool>, options: ComposeOptions = {}): JsonSchema {
  const definitions: Definitions = new Map(Object.entries(options.definitions ?? {}))
  const branches: Schema[] = []
  for (const tool of composableTools(tools, options.activities)) {
    const local = { ...(own(tool.schema, '$defs') as object), ...tool.definitions } as Record<string, Schema>
    branches.push(addDefinitions(branch(tool, options), local, definitions))
  }

  const properties: Record<string, Schema> = { calls: callList(branches) }
  if (options.output !== undefined) {
    // Null says that the goal is not reached yet.
    const { goal, local } = splitDefinitions(plainGoal(options.output))
    properties.output = { anyOf: [addDefinitions(goal, local, definitions), { type: 'null' }] }
  }
  const composed: JsonSchema = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
  const used = reachable(composed, definitions)
  if (used.length > 0) composed.$defs = Object.fromEntries(used)
  return composed
}

function callList(branches: Schema[]): JsonSchema {
  // An empty `anyOf` is invalid JSON Schema, and engines abort on it.
  if (branches.length === 0) {
    return {
      type: 'array',
      items: { type: 'object', properties: {}, additionalProperties: false },
      maxItems: 0,
    }
  }
  return { type: 'array', items: { anyOf: branches } }
}

function splitDefinitions(output: Schema): { goal: Schema; local: Record<string, Schema> } {
  if (typeof output === 'boolean') return { goal: output, local: {} }
  const { $defs = {}, ...goal } = output
  return { goal, local: $defs }
}
