import { beforeSchema, blocks } from '../agent/request/instructions.ts'
import { isJsonObject, own } from '../json/json.ts'
import { jsonOr } from '../json/json-or.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { ModelRequest } from './model-answer.ts'

/** A native tool in a request. */
export interface AskedTool {
  readonly name: string
  readonly parameters: JsonSchema
}

/** Returns the schema of the answer that a request asks for: enforced, or in the prompt. Undefined if it accepts any text. */
export function askedSchema(request: ModelRequest): JsonSchema | undefined {
  const schema = enforcedSchema(request) ?? promptedSchema(request)
  return isJsonObject(schema) ? (schema as JsonSchema) : undefined
}

function enforcedSchema({ api, body }: ModelRequest): unknown {
  const format = {
    chat: own(body, 'response_format'),
    responses: member(own(body, 'text'), 'format'),
    messages: member(own(body, 'output_config'), 'format'),
  }[api]
  const holder = api === 'chat' ? member(format, 'json_schema') : format
  return member(holder, 'schema')
}

/**
 * Reads the schema in the system message, where the server is given none. The user's instructions come before Callsheet's, and system
 * texts of the context after them; these may contain anything.
 */
function promptedSchema({ body }: ModelRequest): unknown {
  const messages = own(body, 'messages') ?? own(body, 'input')
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined
  const system = own(body, 'system') ?? (member(first, 'role') === 'system' && member(first, 'content'))
  if (typeof system !== 'string') return undefined
  const [, schema] = system.slice(system.indexOf(blocks)).split(beforeSchema)
  return schema && jsonOr(schema.split('\n', 1)[0] ?? '', undefined)
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
