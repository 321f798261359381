import type { DialectName } from '../dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { inlineReferences } from '../schema/inline-references.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { mcpAnnotations } from './mcp-annotations.ts'

/** The supported formats of tool lists: two of OpenAI's, Anthropic's, Gemini's, and MCP's. */
export type NativeApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp'

/** A Tool, ready to be written in a provider's format. */
export interface NativeTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonSchema
  readonly isStrict: boolean
  readonly schema: ToolSchema
  /** The self-contained schema of the output. */
  readonly output: Schema | undefined
  /** Arguments of example Calls, as a model would write them. */
  readonly examples: readonly JsonObject[]
}

/** The format in which an API lists tools. */
export interface NativeShape {
  readonly dialect: DialectName
  /** Tools can be marked `strict`, so that the provider enforces their schema. */
  readonly canBeStrict: boolean
  /** Tools can have examples of their arguments. */
  readonly takesExamples: boolean
  /** Tools can declare their output. */
  readonly takesOutput: boolean
  /** Parameters can have any name. Otherwise only letters, digits, `_`, `.` and `-` are allowed, at most 64 of them. */
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
    list: (tools) =>
      tools.map((tool) => ({ type: 'function', function: { ...openaiFunction(tool), ...strictly(tool) } })),
  },
  'openai-responses': {
    dialect: 'openai',
    canBeStrict: true,
    takesExamples: false,
    takesOutput: false,
    takesAnyName: true,
    // A missing `strict` would count as true.
    list: (tools) =>
      tools.map((tool) => ({ type: 'function', ...openaiFunction(tool), strict: tool.isStrict })),
  },
  anthropic: {
    dialect: 'anthropic',
    canBeStrict: true,
    takesExamples: true,
    takesOutput: false,
    // Reported errors, read on 2026-11-24: "Property keys should match pattern".
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
    takesAnyName: false,
    list: (tools) =>
      tools.map((tool) => ({
        name: tool.name,
        ...(tool.schema.title !== undefined && { title: tool.schema.title }),
        ...described(tool),
        inputSchema: inlineReferences(tool.parameters),
        ...outputSchema(tool),
        ...(tool.schema.effects && { annotations: mcpAnnotations(tool.schema.effects) }),
      })),
  },
}

function openaiFunction(tool: NativeTool): JsonObject {
  return { name: tool.name, ...described(tool), parameters: tool.parameters }
}

/** MCP accepts an output schema only if it is an object schema. */
function outputSchema({ output }: NativeTool): JsonObject {
  const listed = isJsonObject(output) ? inlineReferences(output) : undefined
  return listed?.type === 'object' ? { outputSchema: listed } : {}
}
