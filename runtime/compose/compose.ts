import type { Message } from '../context/message.ts'
import { isJsonObject } from '../json/json.ts'
import { type FieldRule, isFunction, isString, mapOf, texts } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { reachable } from '../schema/needed-definitions.ts'
import { plainGoal } from '../schema/plain-goal.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { type BranchOptions, branch } from './branch.ts'
import { type ActivityNames, type ComposableTool, composableTools, type GivenTool } from './composable.ts'
import { compositionChoiceRules } from './composition-choices.ts'
import { addDefinitions, type Definitions, localDefinitions } from './definitions.ts'
import { type ReferenceOptions, References } from './reference-options.ts'
import { type SubsetOptions, selection, selectTools } from './select-tools.ts'

export type { ActivityNames, ComposableTool, GivenTool } from './composable.ts'

/** Options of {@link compose}. */
export interface ComposeOptions extends BranchOptions, ReferenceOptions, SubsetOptions {
  /** The schema of the Request's output. Without it, `output` is left out (REQ-3). */
  readonly output?: Schema | object | undefined
  /** Definitions that several Tools share. Unreferenced ones are left out. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
  /** Which Tools given as plain schemas have an Activity (ACT-3a). Default: none, all are latent. */
  readonly activities?: ActivityNames | undefined
}

const composable: FieldRule = [
  // A registry's `Tool` is a function.
  (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    (isFunction(Reflect.get(value, 'composable')) || isFunction(Reflect.get(value, Symbol.iterator))),
  'a list of Tools, or the Tool of a registry; of Tools by name give Object.values(tools)',
]

const compositionRules: OptionRules<Omit<ComposeOptions, 'output'>> = {
  instances: texts('a list of names'),
  delegates: [(value) => value === 'any' || isTexts(value), '"any", or a list of names'],
  ...compositionChoiceRules,
  context: [(value) => Array.isArray(value) && value.every(isJsonObject), 'a list of Messages'],
  kinds: mapOf('schemas by kind'),
  only: selection,
  without: selection,
  definitions: mapOf('schemas by name'),
  activities: [
    (value) => value === 'same-name' || isFunction(value) || isTexts(value),
    '"same-name", a list of names, or a function',
  ],
}

/** The rules for {@link ComposeOptions}. */
export const composeRules: OptionRules<ComposeOptions> = {
  ...compositionRules,
  output: [(value) => value !== null, 'a schema'],
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString)
}

/**
 * Composes Tools into the one schema that a model answers in: `{ calls: [one branch per Tool], output }` (REQ-1).
 *
 * Pure and deterministic; the generator and the runtime use the same function. The last Tool of a name wins (TOOL-8), disabled
 * Tools are left out. Optional properties are still optional in the result: pass it to {@link lower} for a provider's dialect.
 *
 * @throws CallsheetError `invalid_options` for a plain schema without a `_tool` literal.
 *
 * @example
 * ```ts
 * const schema = compose([weatherCheck], { activities: 'same-name', output: answerSchema })
 * const { schema: sent, lift } = lower(schema, 'openai')
 * ```
 */
export function compose(tools: ComposedTools, options: ComposeOptions = {}): JsonSchema {
  requireArgument('compose', tools, composable)
  requireOptionsOf('compose', options, composeRules)
  return composeWithFacts(tools, options).schema
}

/** The Tools to compose: a list, or the `Tool` of a registry, which knows more about them. */
export type ComposedTools = Iterable<GivenTool> | RegistryTools

/** The part of a registry's `Tool` that composition uses. */
export interface RegistryTools {
  composable(context?: readonly Message[]): ComposableTool[]
  composeOptions?(): ComposeOptions
}

/** Returns the enabled Tools of a registry, and its options overridden by the given ones. */
function withRegistry(
  given: ComposedTools,
  asked: ComposeOptions,
): { tools: Iterable<GivenTool>; options: ComposeOptions } {
  if (!('composable' in given)) return { tools: given, options: asked }
  const own = given.composeOptions?.() ?? {}
  const said = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  return { tools: given.composable(asked.context), options: { ...own, ...said } }
}

/** A composed schema, with the facts that the prompt depends on. */
export interface Composed {
  readonly schema: JsonSchema
  readonly tools: readonly ComposableTool[]
  /** True if Calls may contain References: some value is readable, and some Tool may read it. */
  readonly hasReferences: boolean
}

/** Composes as {@link compose} does, and also returns the facts for the prompt. */
export function composeWithFacts(given: ComposedTools, asked: ComposeOptions = {}): Composed {
  const { tools, options } = withRegistry(given, asked)
  const definitions: Definitions = new Map(Object.entries(options.definitions ?? {}))
  const offered = selectTools(composableTools(tools, options.activities, options.definitions), options)
  const references = new References(offered, options)
  const branches = offered.map((tool) => {
    const admission = references.of(tool)
    const made = branch(tool, options, admission)
    const local = { ...localDefinitions(tool), ...admission.definitions, ...made.definitions }
    return addDefinitions(made.schema, local, definitions)
  })

  const properties: Record<string, Schema> = { calls: callList(branches) }
  if (options.output !== undefined) {
    // Null means that the goal is not reached yet.
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
  return {
    schema: composed,
    tools: offered,
    hasReferences: offered.some((tool) => references.isOffered(tool)),
  }
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
