import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { ModelRequest } from './model-answer.ts'

/** A native tool in a request. */
export interface AskedTool {
  readonly name: string
  readonly parameters: JsonSchema
}

/** Returns the schema that a request enforces; undefined if it accepts text. */
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

/** Returns the tools that a request offers. */
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

/** True for a composed schema: with `calls`, and optionally `output`. */
export function isComposed(schema: JsonSchema): boolean {
  return isJsonObject(schema.properties) && Object.hasOwn(schema.properties, 'calls')
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? own(value, name) : undefined
}
