import type { Events } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import { withNeededDefinitions, withOwnRoot } from '../compose/by-itself.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call } from '../context/message.ts'
import { parametersSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { type ToolLabel, toolLabel } from '../schema/tool-label.ts'
import { contractHash } from './contract-hash.ts'

/**
 * The part of `Tool` that a server uses. Generated and hand-made registries have it, whatever their types, and so has a
 * selection of one.
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
  /** What its parameters are. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: Schema
  /** A hash of what it takes and gives. */
  readonly contract: string
}

const described = new WeakMap<ToolSchema, Promise<ServedTool>>()

/** The Tools that exist for somebody, or those of them that are asked for, by name in the order of code units. */
export async function servedTools(
  tools: ServableTool,
  principal: unknown,
  isAskedFor: (name: string) => boolean = () => true,
): Promise<ServedTool[]> {
  const offered = tools.composable(undefined, principal).filter(({ name }) => isAskedFor(name))
  offered.sort((left, right) => (left.name < right.name ? -1 : 1))
  return Promise.all(offered.map(({ name, schema }) => describe(name, schema)))
}

/** Describes a Tool, once for each schema. */
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
    inputSchema: withNeededDefinitions(parametersSchema(schema)),
    ...(output !== undefined && { outputSchema: withNeededDefinitions(withOwnRoot(output)) }),
    contract: await contractHash(schema),
  }
}
