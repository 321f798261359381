import type { DialectName } from '../dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { mcpAnnotations } from './mcp-annotations.ts'

/** The tool lists that are written: two of OpenAI's, Anthropic's, Gemini's, and MCP's. */
export type NativeApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp'

/** One Tool, ready to be written in a provider's way. */
export interface NativeTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonSchema
  readonly isStrict: boolean
  readonly schema: ToolSchema
  /** What comes back, by itself: with the definitions that it leads to. */
  readonly output: Schema | undefined
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
  /** Tools can say what comes back. */
  readonly takesOutput: boolean
  /** Parameters can have any name. Others take `a` to `z`, digits, `_`, `.` and `-`, and 64 of them. */
  readonly takesAnyName: boolean
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
    takesOutput: false,
    takesAnyName: true,
    list: (tools) => tools.map((tool) => ({ type: 'function', function: openaiFunction(tool) })),
  },
  'openai-responses': {
    dialect: 'openai',
    canBeStrict: true,
    takesExamples: false,
    takesOutput: false,
    takesAnyName: true,
    list: (tools) => tools.map((tool) => ({ type: 'function', ...openaiFunction(tool) })),
  },
  anthropic: {
    dialect: 'anthropic',
    canBeStrict: true,
    takesExamples: true,
    takesOutput: false,
    // Read on 2026-11-24: "Property keys should match pattern", in the errors that people report.
    takesAnyName: false,
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
    takesOutput: false,
    takesAnyName: true,
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
    takesOutput: true,
    takesAnyName: true,
    list: (tools) =>
      tools.map((tool) => ({
        name: tool.name,
        ...(tool.schema.title !== undefined && { title: tool.schema.title }),
        ...described(tool),
        inputSchema: tool.parameters,
        ...outputSchema(tool),
        ...(tool.schema.effects && { annotations: mcpAnnotations(tool.schema.effects) }),
      })),
  },
}

/** The Responses API reads a missing `strict` as true, so it is always said. */
function openaiFunction(tool: NativeTool): JsonObject {
  return { name: tool.name, ...described(tool), parameters: tool.parameters, strict: tool.isStrict }
}

/** MCP takes an output schema only where it is an object. */
function outputSchema({ output }: NativeTool): JsonObject {
  return isJsonObject(output) && output.type === 'object' ? { outputSchema: output } : {}
}
