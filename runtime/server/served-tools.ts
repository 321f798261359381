import type { Events } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import { withOwnRoot } from '../compose/by-itself.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call } from '../context/message.ts'
import { requestParametersSchema } from '../schema/call-schema.ts'
import { withNeededDefinitions } from '../schema/needed-definitions.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { type ToolLabel, toolLabel } from '../schema/tool-label.ts'
import { contractHash } from './contract-hash.ts'

/**
 * The part of `Tool` that a server uses. Every registry has it, generated or not, and so does a selection of its Tools.
 */
export interface ServableTool {
  readonly names: readonly string[]
  get(name: string): ToolSchema | undefined
  composable(
    context?: ContextLike,
    principal?: unknown,
  ): readonly { readonly name: string; readonly schema: ToolSchema }[]
  run(call: Call, options?: RunOptions): Promise<Outcome>
  all(calls: readonly Call[], options?: GroupOptions): Promise<unknown>
  any(calls: readonly Call[], options?: GroupOptions): Promise<unknown>
  race(calls: readonly Call[], options?: GroupOptions): Promise<unknown>
  on<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): () => void
}

/** A Tool as a server shows it. */
export interface ServedTool extends ToolLabel {
  readonly name: string
  /** The schema of its parameters, and of meta-fields that it requires. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: Schema
  /** The hash of its contract. */
  readonly contract: string
}

const described = new WeakMap<ToolSchema, Promise<ServedTool>>()

/** Returns the Tools that exist for a principal, or the named ones among them, sorted by code unit. */
export async function servedTools(
  tools: ServableTool,
  principal: unknown,
  isAskedFor: (name: string) => boolean = () => true,
): Promise<ServedTool[]> {
  const offered = tools.composable(undefined, principal).filter(({ name }) => isAskedFor(name))
  offered.sort((left, right) => (left.name < right.name ? -1 : 1))
  return Promise.all(offered.map(({ name, schema }) => describe(name, schema)))
}

/** Describes a Tool; cached by its schema. */
export function describe(name: string, schema: ToolSchema): Promise<ServedTool> {
  const known = described.get(schema)
  if (known) return known
  const made = describeAnew(name, schema)
  described.set(schema, made)
  return made
}

async function describeAnew(name: string, schema: ToolSchema): Promise<ServedTool> {
  const output = outputSchema(schema)
  return {
    name,
    ...toolLabel(schema),
    inputSchema: withNeededDefinitions(requestParametersSchema(schema)),
    ...(output !== undefined && { outputSchema: withNeededDefinitions(withOwnRoot(output)) }),
    contract: await contractHash(schema),
  }
}
