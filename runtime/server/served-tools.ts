import type { Events } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import { reachable } from '../compose/definitions.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call } from '../context/message.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { parametersSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { Effects, JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
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
export interface ServedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly effects?: Effects
  readonly deprecated?: boolean
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
  const { title, description, effects, deprecated } = schema
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(effects && { effects }),
    ...(deprecated === true && { deprecated }),
    inputSchema: withNeededDefinitions(parametersSchema(schema)),
    ...(output !== undefined && { outputSchema: withNeededDefinitions(withOwnRoot(output)) }),
    contract: await contractHash(schema),
  }
}

/** A schema that is nothing but a reference to a definition of its own, with that definition in its place: clients look at the root. */
function withOwnRoot(schema: Schema): Schema {
  if (typeof schema !== 'object') return schema
  const { $ref, ...rest } = schema
  const name = definitionName($ref)
  const definition = name === undefined ? undefined : schema.$defs?.[name]
  return isJsonObject(definition) ? { ...definition, ...rest } : schema
}

/** References that do not name a definition of the schema's own root, or could stand for another place. */
const otherReference = /"\$(?:id|anchor|dynamicRef)"|"\$ref":"(?!#\/\$defs\/[^"/%~]+")/

/**
 * Leaves out definitions that only the other half of a Tool refers to: clients of MCP show a model what it can send, and would spend
 * tokens on what comes back.
 */
function withNeededDefinitions<Given extends Schema>(schema: Given): Given {
  if (typeof schema !== 'object' || !schema.$defs || otherReference.test(JSON.stringify(schema)))
    return schema
  const { $defs, ...rest } = schema
  const needed = reachable(rest, new Map(Object.entries($defs)))
  return { ...rest, ...(needed.length > 0 && { $defs: Object.fromEntries(needed) }) } as Given
}
