import type { DialectName } from '../dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { JsonSchema, ToolSchema } from '../schema/schema.ts'

/** The tool lists that are written: two of OpenAI's, Anthropic's, Gemini's, and MCP's. */
export type NativeApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp'

/** One Tool, ready to be written in a provider's way. */
export interface NativeTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonSchema
  readonly isStrict: boolean
  readonly schema: ToolSchema
  /** Arguments of example Calls, as the model would write them. */
  readonly examples: readonly JsonObject[]
}

/** How one API lists tools. */
export interface NativeShape {
  readonly dialect: DialectName
  /** Tools can be marked `strict`, which holds the model to their schema. */
  readonly canBeStrict: boolean
  /** Tools can carry examples of their arguments. */
  readonly takesExamples: boolean
  list(tools: readonly NativeTool[]): JsonObject[]
}

const described = ({ description }: NativeTool): JsonObject =>
  description === undefined ? {} : { description }
const strictly = ({ isStrict }: NativeTool): JsonObject => (isStrict ? { strict: true } : {})

export const nativeShapes: Readonly<Record<NativeApi, NativeShape>> = {
  'openai-chat': {
    dialect: 'openai',
    canBeStrict: true,
    takesExamples: false,
    list: (tools) => tools.map((tool) => ({ type: 'function', function: openaiFunction(tool) })),
  },
  'openai-responses': {
    dialect: 'openai',
    canBeStrict: true,
    takesExamples: false,
    list: (tools) => tools.map((tool) => ({ type: 'function', ...openaiFunction(tool) })),
  },
  anthropic: {
    dialect: 'anthropic',
    canBeStrict: true,
    takesExamples: true,
    list: (tools) =>
      tools.map((tool) => ({
        name: tool.name,
        ...described(tool),
        input_schema: tool.parameters,
        ...(tool.examples.length > 0 && { input_examples: tool.examples }),
        ...strictly(tool),
      })),
  },
  gemini: {
    dialect: 'gemini',
    canBeStrict: false,
    takesExamples: false,
    list: (tools) => [
      {
        functionDeclarations: tools.map((tool) => ({
          name: tool.name,
          ...described(tool),
          parametersJsonSchema: tool.parameters,
        })),
      },
    ],
  },
  mcp: {
    dialect: 'mcp',
    canBeStrict: false,
    takesExamples: false,
    list: (tools) =>
      tools.map((tool) => ({
        name: tool.name,
        ...(tool.schema.title !== undefined && { title: tool.schema.title }),
        ...described(tool),
        inputSchema: tool.parameters,
        ...outputSchema(tool.schema),
        ...annotations(tool.schema),
      })),
  },
}

/** The Responses API reads a missing `strict` as true, so it is always said. */
function openaiFunction(tool: NativeTool): JsonObject {
  return { name: tool.name, ...described(tool), parameters: tool.parameters, strict: tool.isStrict }
}

/** MCP takes an output schema only where it is an object, and by itself, without references to elsewhere. */
function outputSchema({ properties, $defs }: ToolSchema): JsonObject {
  const output = properties?._output
  if (!isJsonObject(output) || output.type !== 'object') return {}
  return { outputSchema: $defs === undefined ? output : { ...output, $defs } }
}

function annotations({ effects }: ToolSchema): JsonObject {
  if (effects === undefined) return {}
  return {
    annotations: { readOnlyHint: effects === 'read', ...(effects !== 'write' && { idempotentHint: true }) },
  }
}
