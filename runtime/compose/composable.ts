import { CallsheetError } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'

/** A Tool with what a registry knows about it. */
export interface ComposableTool {
  readonly name: string
  /** Plain JSON Schema, references as `#/$defs/Name`. */
  readonly schema: ToolSchema
  /** The Activity that ACT-3 resolves; `''` when the Call is latent. */
  readonly activity: string
  /** Definitions of this Tool alone, besides `schema.$defs`. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
  /** It came with a context, in a `tool` Message: nobody has vouched for its schema (CALL-11b). */
  readonly isGuest?: boolean | undefined
}

/** The names of Tools that are implemented, here or elsewhere; or a function that resolves each. */
export type ActivityNames = 'same-name' | readonly string[] | ((name: string, schema: ToolSchema) => string)

/** A Tool's schema as `tool()` and TypeBox type it: data, whatever the types of its parts. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: object
}

/** A Tool as it is given to {@link compose}: with what a registry knows, or as a schema. */
export type GivenTool = ComposableTool | ToolSchema | ObjectSchema

/**
 * The Tools that take part, by name: of two with one name the last counts (TOOL-8), those that are off are left out.
 *
 * @param activities For plain schemas: which have an Activity.
 * @throws CallsheetError `invalid_options` for a plain schema without a `_tool` literal.
 */
export function composableTools(
  tools: Iterable<GivenTool>,
  activities: ActivityNames | undefined,
): ComposableTool[] {
  const latest = new Map<string, ComposableTool>()
  for (const given of tools) {
    const tool = isComposable(given) ? given : withActivity(given, activities)
    if (tool.schema.enabled === false) latest.delete(tool.name)
    else latest.set(tool.name, tool)
  }
  return [...latest.values()]
}

function isComposable(tool: GivenTool): tool is ComposableTool {
  return isJsonObject(tool) && typeof own(tool, 'name') === 'string' && isJsonObject(own(tool, 'schema'))
}

function withActivity(
  schema: ToolSchema | ObjectSchema,
  activities: ActivityNames | undefined,
): ComposableTool {
  const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined
  const tag = isJsonObject(properties) ? own(properties, '_tool') : undefined
  const name = isJsonObject(tag) ? tag.const : undefined
  if (typeof name !== 'string') {
    throw new CallsheetError(
      'invalid_options',
      'compose: expected Tools, got a schema without a `_tool` literal. Make it with tool(name, …), or give { name, schema, activity }.',
    )
  }
  const plain = plainToolSchema(name, schema)
  return { name, schema: plain, activity: activityOf(name, plain, activities) }
}

/** ACT-3 for a schema without a registry: what the Tool declares, else its own name where that is implemented. */
function activityOf(name: string, schema: ToolSchema, activities: ActivityNames | undefined): string {
  if (typeof activities === 'function') return activities(name, schema)
  const isImplemented = (activity: string): boolean =>
    activities === 'same-name' ? activity === name : (activities?.includes(activity) ?? false)
  const wanted = toolFacts(name, schema).activity ?? name
  return isImplemented(wanted) ? wanted : ''
}
