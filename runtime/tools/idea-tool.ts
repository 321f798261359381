import { isDataMessage, messageKind } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { holds } from '../problems/option-problems.ts'
import { isMetaField } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'
import type { JsonSchema, ToolSchema } from '../schema/schema.ts'
import type { IdeaData } from './idea-data.ts'

/** The parameters of an Idea without an input: none. */
const noInput: { readonly schema: JsonSchema; readonly description?: string } = {
  schema: { type: 'object', properties: {}, additionalProperties: false },
}

/**
 * Makes a Tool's schema from an Idea. The schema of its input gives the parameters (none without an input), its own
 * schema gives `_output`, and the Tool runs as a delegate of that name (REQ-11).
 *
 * @throws CallsheetError `invalid_options` if the input's schema is not an object schema, declares meta-fields, or
 * shares the name of a definition with the Idea's own schema.
 */
export function ideaTool(name: string, idea: IdeaData): ToolSchema {
  const input = inputOf(idea) ?? { ...noInput, description: idea.schema.description }
  if (!isJsonObject(input.schema) || input.schema.type !== 'object') {
    throw new CallsheetError(
      'invalid_options',
      `The Idea "${name}" is not callable: its input Message needs an object schema, such as { type: 'input', input: {}, schema: { type: 'object', properties: { … } } }.`,
    )
  }
  requireNoMetaFields(name, input.schema)
  const { properties = {}, required = [], $defs: inputDefinitions, ...rest } = input.schema as JsonSchema
  const { $defs: outputDefinitions, ...output } = idea.schema
  const $defs = sharedDefinitions(name, inputDefinitions, outputDefinitions)
  return {
    ...rest,
    type: 'object',
    ...(input.description !== undefined && { description: input.description }),
    properties: {
      _tool: { type: 'string', const: name },
      _delegate: { type: 'string', const: name },
      ...properties,
      _output: output,
    },
    required: ['_tool', ...required],
    ...($defs && { $defs }),
  }
}

/** An Idea may declare parameters only: a meta-field could name a registered Activity (CALL-11b). */
function requireNoMetaFields(name: string, schema: JsonObject): void {
  const found = Object.keys(isJsonObject(schema.properties) ? schema.properties : {}).filter(
    (property) => isMetaField(property) || property === olderDelegateName,
  )
  if (found.length === 0) return
  throw new CallsheetError(
    'invalid_options',
    `The Idea "${name}" declares ${found.join(', ')} in its input schema, which only a Tool of its own may. Leave it out.`,
  )
}

/** Returns the Message that declares an Idea's parameters: the newest of kind `input`. */
export function inputOf(idea: IdeaData): { schema?: unknown; description?: string } | undefined {
  return idea.context.filter(isDataMessage).findLast((message) => messageKind(message) === 'input')
}

/**
 * Requires the shape of an Idea. Its Messages are not checked here: `callsheet/agent` does that when Ideas are made and
 * loaded, and a worker does not need it.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireIdeaShape(value: unknown, which: string): asserts value is IdeaData {
  if (
    holds(
      [(given) => isJsonObject(given) && isJsonObject(given.schema) && Array.isArray(given.context), ''],
      value,
    )
  )
    return
  throw new CallsheetError(
    'invalid_options',
    `${which} is not an Idea: expected { schema, context, solution? }.`,
  )
}

/**
 * Merges the definitions of both schemas. Refuses one name for two different definitions: References use the name
 * alone.
 */
function sharedDefinitions(
  name: string,
  left: JsonSchema['$defs'],
  right: JsonSchema['$defs'],
): JsonSchema['$defs'] {
  if (!left || !right) return left ?? right
  for (const key of Object.keys(left)) {
    if (!Object.hasOwn(right, key) || JSON.stringify(left[key]) === JSON.stringify(right[key])) continue
    throw new CallsheetError(
      'invalid_options',
      `The Idea "${name}" defines "${key}" differently in its input schema and in its schema. Rename one of them.`,
    )
  }
  return { ...left, ...right }
}
