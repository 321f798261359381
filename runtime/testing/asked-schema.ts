import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { ModelRequest } from './model-answer.ts'

/** One of the provider's own tools, as a request offers it. */
export interface AskedTool {
  readonly name: string
  readonly parameters: JsonSchema
}

/** The schema that a request holds the model to; undefined when it takes text. */
export function askedSchema({ api, body }: ModelRequest): JsonSchema | undefined {
  const format = {
    chat: own(body, 'response_format'),
    responses: member(own(body, 'text'), 'format'),
    messages: member(own(body, 'output_config'), 'format'),
  }[api]
  const holder = api === 'chat' ? member(format, 'json_schema') : format
  const schema = member(holder, 'schema')
  return isJsonObject(schema) ? (schema as JsonSchema) : undefined
}

/** The tools that a request offers. */
export function askedTools({ api, body }: ModelRequest): AskedTool[] {
  const tools = own(body, 'tools')
  if (!Array.isArray(tools)) return []
  return tools
    .map((tool: unknown) => (api === 'chat' ? member(tool, 'function') : tool))
    .filter(isJsonObject)
    .filter(({ name }) => typeof name === 'string')
    .map((tool) => ({
      name: String(tool.name),
      parameters: (tool.parameters ?? tool.input_schema) as JsonSchema,
    }))
}

/** True when the schema is a composed one: Calls, and an output where there is a goal. */
export function isComposed(schema: JsonSchema): boolean {
  return isJsonObject(schema.properties) && Object.hasOwn(schema.properties, 'calls')
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? own(value, name) : undefined
}
