import { CallsheetError } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import { requireJsonSchema } from '../schema/require-json-schema.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'

/** A Tool with the facts that a registry knows about it. */
export interface ComposableTool {
  readonly name: string
  /** Plain JSON Schema, references as `#/$defs/Name`. */
  readonly schema: ToolSchema
  /** The Activity by ACT-3; `''` if Calls are latent. */
  readonly activity: string
  /** Definitions of this Tool only, in addition to `schema.$defs`. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
  /** The Tool comes from a `tool` Message of a context, so its schema is not trusted (CALL-11b). */
  readonly isGuest?: boolean | undefined
}

/** The names of Tools with an Activity, in this process or another; or a function that returns the Activity of each. */
export type ActivityNames = 'same-name' | readonly string[] | ((name: string, schema: ToolSchema) => string)

/** A Tool's schema as typed by `tool()`, TypeBox and `generated/`: data with parts of any type. */
export interface ObjectSchema {
  readonly type?: string | string[]
  readonly properties: object
}

/** A Tool as {@link compose} accepts it: with a registry's facts, or as a schema. */
export type GivenTool = ComposableTool | ToolSchema | ObjectSchema

/**
 * Returns the Tools to compose, by name: the last one of a name wins (TOOL-8), disabled ones are left out.
 *
 * @param activities Which plain schemas have an Activity.
 * @param definitions Definitions that plain schemas may refer to without having them.
 * @throws CallsheetError `invalid_options` for a plain schema without a `_tool` literal; `unsupported_schema` for schemas of a
 * validation library.
 */
export function composableTools(
  tools: Iterable<GivenTool>,
  activities: ActivityNames | undefined,
  definitions: Readonly<Record<string, Schema>> = {},
): ComposableTool[] {
  for (const [name, schema] of Object.entries(definitions)) requireJsonSchema(schema, name)
  const latest = new Map<string, ComposableTool>()
  for (const given of tools) {
    if (isComposable(given)) requireJsonSchema(given.schema, given.name)
    const tool = isComposable(given) ? given : withActivity(given, activities, definitions)
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
  definitions: Readonly<Record<string, Schema>>,
): ComposableTool {
  const name = declaredToolName(schema)
  if (name === undefined) {
    throw new CallsheetError(
      'invalid_options',
      'compose: expected Tools with a `_tool` literal: tool(name, …) or { name, schema, activity }.',
    )
  }
  const plain = plainToolSchema(name, schema, (definition) => Object.hasOwn(definitions, definition))
  return { name, schema: plain, activity: activityOf(name, plain, activities) }
}

/** Applies ACT-3 to a schema without a registry: the declared `_activity`, else the Tool's own name if that is implemented. */
function activityOf(name: string, schema: ToolSchema, activities: ActivityNames | undefined): string {
  if (typeof activities === 'function') return activities(name, schema)
  const isImplemented = (activity: string): boolean =>
    activities === 'same-name' ? activity === name : (activities?.includes(activity) ?? false)
  const wanted = toolFacts(name, schema).activity ?? name
  return isImplemented(wanted) ? wanted : ''
}
