import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { isTooDeep } from '../json/is-too-deep.ts'
import { isJsonObject, own } from '../json/json.ts'
import { maximumValueDepth } from '../json/json-copy.ts'
import { jsonOr } from '../json/json-or.ts'
import type { LoweredSchema } from '../lower/lower.ts'
import { RepeatedCalls } from '../parse/repeated-calls.ts'
import { firstNearest, type nearest } from '../problems/nearest.ts'
import { suggest } from '../problems/suggest.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { asMeant } from './meant-arguments.ts'

/** A tool call of an answer: a Call, or the reason why it is not one. */
export type NativeCall =
  | {
      readonly id: string | undefined
      readonly call: Call
      readonly name?: undefined
      readonly error?: undefined
    }
  | {
      readonly id: string | undefined
      readonly call?: undefined
      /** The name that the model called, if it is a string. */
      readonly name?: string | undefined
      readonly error: CallError
    }

/** A Tool that was sent to the provider. */
export interface SentTool {
  readonly name: string
  readonly safeName: string
  /** What {@link lowered} was made of. */
  readonly declared: JsonSchema
  readonly lowered: LoweredSchema
}

/** A tool call of a provider, with arguments as JSON text or as an object. */
interface ToolCall {
  readonly id: unknown
  readonly name: unknown
  readonly input: unknown
  /** True if the provider says that it was cut off. */
  readonly isCut?: boolean
}

/** Reads the tool calls of any provider's answer and turns each into a Call. */
export function callsOf(answer: unknown, tools: readonly SentTool[]): NativeCall[] {
  const found = toolCalls(answer)
  if (!found) {
    throw new CallError(
      'invalid_call',
      'Expected a provider\'s answer: a chat completion or its message ("tool_calls"), a response ("output"), an Anthropic message ("content"), a Gemini response ("candidates"), or MCP call parameters ("name", "arguments").',
    )
  }
  const guess = firstNearest()
  const known = new RepeatedCalls()
  return found
    .filter(({ id, name, input, isCut }) => !known.isRepeated(id, input, name, isCut))
    .map((toolCall) => readCall(toolCall, tools, guess))
}

function toolCalls(answer: unknown): ToolCall[] | undefined {
  if (!isJsonObject(answer)) return undefined
  const choices = objects(own(answer, 'choices'))
  if (choices) return firstCalls(choices.map((choice) => chatCalls(own(choice, 'message'))))
  const output = objects(own(answer, 'output'))
  if (output) return output.filter(isType('function_call')).map(responseCall)
  const candidates = objects(own(answer, 'candidates'))
  if (candidates) return firstCalls(candidates.map((candidate) => geminiCalls(own(candidate, 'content'))))
  const content = objects(own(answer, 'content'))
  if (content && own(answer, 'tool_calls') === undefined) {
    return content
      .filter(isType('tool_use'))
      .map((part) => ({ id: own(part, 'id'), name: own(part, 'name'), input: own(part, 'input') }))
  }
  if (own(answer, 'tool_calls') !== undefined || own(answer, 'role') !== undefined) return chatCalls(answer)
  if (typeof own(answer, 'name') === 'string') {
    return [{ id: undefined, name: answer.name, input: own(answer, 'arguments') ?? {} }]
  }
  return undefined
}

/**
 * Uses one choice only: choices are alternatives, and running the calls of all would repeat the work. Some proxies put
 * the text into a separate choice.
 */
function firstCalls(alternatives: readonly ToolCall[][]): ToolCall[] {
  return alternatives.find((calls) => calls.length > 0) ?? []
}

function chatCalls(message: unknown): ToolCall[] {
  const calls = isJsonObject(message) ? objects(own(message, 'tool_calls')) : undefined
  return (calls ?? []).flatMap((call) => {
    const called = own(call, 'function')
    return isJsonObject(called)
      ? [{ id: own(call, 'id'), name: own(called, 'name'), input: own(called, 'arguments') }]
      : []
  })
}

function responseCall(item: Record<string, unknown>): ToolCall {
  const isCut = own(item, 'status') === 'incomplete'
  return { id: own(item, 'call_id'), name: own(item, 'name'), input: own(item, 'arguments'), isCut }
}

function geminiCalls(content: unknown): ToolCall[] {
  const parts = isJsonObject(content) ? objects(own(content, 'parts')) : undefined
  return (parts ?? []).flatMap((part) => {
    const call = own(part, 'functionCall')
    return isJsonObject(call)
      ? [{ id: own(call, 'id'), name: own(call, 'name'), input: own(call, 'args') ?? {} }]
      : []
  })
}

function readCall(
  { id: givenId, name, input, isCut }: ToolCall,
  tools: readonly SentTool[],
  guess: typeof nearest,
): NativeCall {
  const id = typeof givenId === 'string' ? givenId : undefined
  const tool = typeof name === 'string' ? sentTool(name, tools) : undefined
  if (!tool) return { id, ...(typeof name === 'string' && { name }), error: unknownTool(name, tools, guess) }
  if (isCut) {
    const error = new CallError(
      'malformed_json',
      `The call of "${tool.name}" was cut off. Make it again, in full.`,
    )
    return { id, name: tool.name, error }
  }
  // For Tools without parameters, some models send null or nothing.
  const given = typeof input === 'string' ? parsedArguments(input) : (input ?? null)
  const parameters = given === null ? {} : given
  if (!isJsonObject(parameters)) {
    const error = new CallError(
      typeof input === 'string' && parameters === undefined ? 'malformed_json' : 'invalid_call',
      `The arguments of "${tool.name}" are not a JSON object: ${String(JSON.stringify(input)).slice(0, 200)}`,
    )
    return { id, name: tool.name, error }
  }
  const { schema, lift } = tool.lowered
  // As sent, so that stand-ins can be lifted; then as declared, since some dialects take any text beside a Reference.
  const lifted = isTooDeep(parameters, maximumValueDepth)
    ? parameters
    : asMeant(lift(asMeant(parameters, schema)), tool.declared)
  // Values that are sent as JSON text may be deep as well.
  if (isTooDeep(lifted, maximumValueDepth)) {
    const message = `The arguments of "${tool.name}" nest deeper than ${maximumValueDepth} levels.`
    return { id, name: tool.name, error: new CallError('invalid_call', message) }
  }
  // The provider's name decides which Tool is called, whatever the arguments contain.
  const rest = isJsonObject(lifted) ? Object.entries(lifted).filter(([key]) => key !== '_tool') : []
  return { id, call: Object.fromEntries([['_tool', tool.name], ...rest]) as unknown as Call }
}

/** Finds a Tool by name; an exact match takes precedence, then case is ignored, since providers may change it. */
function sentTool(name: string, tools: readonly SentTool[]): SentTool | undefined {
  const alike = (tool: SentTool): boolean => tool.safeName.toLowerCase() === name.toLowerCase()
  return tools.find(({ safeName, name: own }) => safeName === name || own === name) ?? tools.find(alike)
}

function unknownTool(name: unknown, tools: readonly SentTool[], guess: typeof nearest): CallError {
  const suggestions =
    typeof name === 'string'
      ? guess(
          name,
          tools.map((tool) => tool.safeName),
        )
      : []
  const message = `Unknown tool ${JSON.stringify(name)}.${suggest(suggestions)}`
  return new CallError('unknown_tool', message, { suggestions })
}

function parsedArguments(text: string): unknown {
  return text.trim() === '' ? {} : jsonOr(text, undefined)
}

function objects(value: unknown): Record<string, unknown>[] | undefined {
  return Array.isArray(value) ? value.filter(isJsonObject) : undefined
}

function isType(type: string): (item: Record<string, unknown>) => boolean {
  return (item) => own(item, 'type') === type
}
