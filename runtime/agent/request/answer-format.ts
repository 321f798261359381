import { interpretCheck } from '../../check-tree/interpret.ts'
import { type ComposableTool, type ComposeOptions, composeWithFacts } from '../../compose/compose.ts'
import type { Call } from '../../context/message.ts'
import type { DialectName } from '../../dialects/dialect-name.ts'
import { isCallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import type { LoweredSchema } from '../../lower/lower.ts'
import { lowerCached } from '../../lower/lower-cached.ts'
import { isTooMuch, type LoweredComposition, lowerComposed } from '../../lower/lower-composed.ts'
import { callsOf } from '../../native/calls-of.ts'
import { type NativeApi, type NativeOptions, shapeTools } from '../../native/native-tools.ts'
import { listProblems, problem } from '../../problems/problem.ts'
import { shorten } from '../../problems/shorten.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import { providerSafeName } from '../../schema/tool-name.ts'
import {
  isOfferedCall,
  mostRejected,
  type ReadSolution,
  readSolution,
  tooManyRejected,
} from '../ideas/solution.ts'
import { type Deferral, deferTools } from '../search/deferred-tools.ts'
import { answerJson, answerSolution, callInSolution } from '../transport/answer-json.ts'
import type { Reply, ToolCall } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import { foreignCalls } from './foreign-calls.ts'
import { shapeOf } from './native-shape.ts'
import { type ExplainedField, explainedFields } from './prompt-facts.ts'

/** The format in which a model is to answer, and how to read the answer. */
export interface AnswerFormat<Answer> {
  readonly mode: 'composed' | 'native' | 'data'
  /** The declared schema, which a Vessel stores. */
  readonly declared: JsonSchema
  /** The lowered schema of the text answer. */
  readonly schema?: JsonSchema
  /** True if it exceeds a documented limit, so that the provider would refuse it as a response format. */
  readonly isTooMuch?: boolean
  /** The fields of a Call that the prompt must explain (REQ-13). */
  readonly fields?: readonly ExplainedField[]
  /** The provider's native tools. */
  readonly tools?: readonly JsonObject[]
  /** Reads a whole answer. @throws RequestError `answer_invalid`, listing every problem. */
  read(reply: Reply): Answer
  /**
   * Lifts one Call of a streamed answer; undefined for a Call of a Tool that was not offered (REQ-7). Absent if Calls do not
   * arrive one by one.
   */
  liftCall?(call: unknown): Call | undefined
  /** The same for a native tool call. */
  liftToolCall?(call: ToolCall): Call | undefined
}

export interface SolutionFormatOptions {
  readonly tools: readonly ComposableTool[]
  readonly output?: Schema | undefined
  /** The options for composing the Tools. */
  readonly compose: ComposeOptions
  readonly dialect: DialectName
  readonly api: NativeApi
  readonly mode: 'auto' | 'composed' | 'native'
  /** Which native tools are strict: `in-order` if Tools are appended from turn to turn, and earlier ones must be sent unchanged. */
  readonly strict?: NativeOptions['strict']
  /** The Tools that the provider defers until a search finds them. */
  readonly deferral?: Deferral | undefined
}

/**
 * Chooses between one composed schema and native tools (REQ-5b, REQ-5c): `auto` uses the composed schema if the dialect can express
 * it within its documented limits.
 *
 * @throws CallsheetError `unsupported_schema` if the dialect cannot express a Tool.
 */
export function formatOf(options: SolutionFormatOptions): AnswerFormat<ReadSolution> {
  const { tools, output, mode } = options
  const asked = { ...options.compose, output }
  const check = output === undefined ? undefined : interpretCheck(output)
  const made = mode === 'native' ? undefined : loweredOr(tools, options.dialect, asked, mode)
  const composed = made?.composed ?? composeWithFacts(tools, asked)
  const rules = { tools: composed.tools.map(({ name }) => name), output: check }
  const accept: Accept = (value, text) => {
    const read = readSolution(value, rules)
    if ('problems' in read) throw invalidAnswer(read.problems, text)
    return read.solution
  }
  const format = made
    ? composedFormat(composed.schema, made.lowered, rules.tools, accept)
    : nativeFormat(options, composed.schema, accept)
  return { ...format, fields: explainedFields(composed) }
}

/** Reads a lifted answer. @throws RequestError `answer_invalid`. */
type Accept = (value: unknown, text: string) => ReadSolution

/** @returns undefined if `auto` has to switch to native tools. */
function loweredOr(
  tools: readonly ComposableTool[],
  dialect: DialectName,
  options: ComposeOptions,
  mode: 'auto' | 'composed',
): LoweredComposition | undefined {
  try {
    const made = lowerComposed(tools, dialect, options)
    return mode === 'auto' && isTooMuch(made.lowered) ? undefined : made
  } catch (thrown) {
    if (mode === 'auto' && isCallsheetError(thrown) && thrown.code === 'unsupported_schema') return undefined
    throw thrown
  }
}

function composedFormat(
  declared: JsonSchema,
  lowered: LoweredSchema,
  offered: readonly string[],
  accept: Accept,
): AnswerFormat<ReadSolution> {
  const toolNamed = (sent: string): string =>
    offered.includes(sent) ? sent : (offered.find((name) => providerSafeName(name) === sent) ?? sent)
  return {
    mode: 'composed',
    declared,
    schema: lowered.schema,
    read(reply) {
      const text = textAnswer(reply, "Choose { mode: 'native' }, or a server that answers by the schema.")
      return accept(lowered.lift(answerSolution(text, toolNamed)), text)
    },
    liftCall(call) {
      const lifted = lowered.lift({ calls: [callInSolution(call, toolNamed)], output: null })
      const calls = isJsonObject(lifted) ? own(lifted, 'calls') : undefined
      const first: unknown = Array.isArray(calls) ? calls[0] : undefined
      return isOfferedCall(first, offered) ? first : undefined
    },
  }
}

function nativeFormat(
  { tools, output, compose, api, dialect, strict, deferral }: SolutionFormatOptions,
  declared: JsonSchema,
  accept: Accept,
): AnswerFormat<ReadSolution> {
  const goal = output === undefined ? undefined : lowerCached(goalSchema(output), dialect)
  const tooMuch = goal !== undefined && isTooMuch(goal)
  const native = shapeTools(tools, shapeOf(api, dialect), {
    ...compose,
    strict,
    ...(goal && !tooMuch && { answerSchema: goal.schema }),
    // Anthropic refuses examples together with deferred tools.
    ...(deferral && { examples: 'omit' }),
  })
  const names = tools.map(({ name }) => name)
  const sent = deferral ? deferTools(native.tools, names, deferral) : native.tools
  return {
    mode: 'native',
    declared,
    ...(goal && { schema: goal.schema, isTooMuch: tooMuch }),
    ...(sent.length > 0 && { tools: sent }),
    // Without a name it is one of the rejected Calls of the complete answer.
    liftToolCall: (call) =>
      typeof call.name === 'string' ? native.callsFromAnswer(call)[0]?.call : undefined,
    read({ text, answer }) {
      const foreign = foreignCalls(answer)
      if (foreign.length > 0) {
        const message = `The answer calls tools in a kind that was not offered: ${shorten(foreign.join(', '), 300)}. Call the offered functions, with JSON arguments.`
        throw new RequestError('answer_invalid', message, { text })
      }
      const found = native.callsFromAnswer(answer)
      const calls = found.flatMap(({ call }) => (call ? [call] : []))
      const ids = found.flatMap(({ call, id }) => (call ? [id] : []))
      const rejected = found.flatMap(({ error, name, id }) =>
        error ? [{ call: { _tool: name ?? '' }, error, id }] : [],
      )
      if (rejected.length > mostRejected) throw invalidAnswer([tooManyRejected(found)], text)
      // Text next to tool calls is a comment of the model, not its output.
      const value = goal && found.length === 0 ? goal.lift(wrappedGoal(text)) : undefined
      const output = isJsonObject(value) ? own(value, 'output') : undefined
      return { ...accept({ calls, output }, text), rejected, ids }
    },
  }
}

/**
 * Reads the output of an answer without Calls. If the server does not enforce the schema, a model may omit the object around it.
 *
 * @throws RequestError `answer_invalid` if there are Calls too, since nothing would run them.
 */
function wrappedGoal(text: string): JsonObject {
  if (text.trim() === '') {
    const message = 'The answer is empty: it has neither tool calls nor the output.'
    throw new RequestError('answer_invalid', message, { text })
  }
  const said = answerJson(text)
  if (!isJsonObject(said) || !Object.hasOwn(said, 'output')) return { output: said }
  const calls = own(said, 'calls')
  if (Array.isArray(calls) && calls.length > 0)
    throw invalidAnswer([problem('/calls', 'tool calls in place of a list of them', calls)], text)
  return said
}

function goalSchema(output: Schema): JsonSchema {
  if (typeof output === 'boolean') {
    return { type: 'object', properties: { output }, required: ['output'], additionalProperties: false }
  }
  const { $defs, ...goal } = output
  return {
    type: 'object',
    properties: { output: goal },
    required: ['output'],
    additionalProperties: false,
    ...($defs && { $defs }),
  }
}

/** Creates the format of an answer that is data under a schema, without Calls. */
export function dataFormat(schema: JsonSchema, dialect: DialectName): AnswerFormat<unknown> {
  const lowered = lowerCached(schema, dialect)
  const check = interpretCheck(schema)
  return {
    mode: 'data',
    declared: schema,
    schema: lowered.schema,
    isTooMuch: isTooMuch(lowered),
    read(reply) {
      const text = textAnswer(reply, 'Choose a model or a server that answers by the schema.')
      const value = lowered.lift(answerJson(text))
      if (check(value)) return value
      const problems: Problem[] = []
      check(value, '', problems)
      throw invalidAnswer(problems, text)
    },
  }
}

/**
 * Returns the text of an answer that was requested as text.
 *
 * @param advice The next step if the server sent tool calls instead: none were offered, so it ignored the schema.
 * @throws RequestError `answer_invalid`.
 */
function textAnswer({ text, answer }: Reply, advice: string): string {
  const called = text.trim() === '' ? callsOf(answer, []).map(({ name }) => JSON.stringify(name ?? '')) : []
  if (called.length === 0) return text
  const calls = shorten([...new Set(called)].join(', '), 200)
  const message = `The answer is no JSON text, which was asked for, but tool calls of the provider's kind: ${calls}. ${advice}`
  throw new RequestError('answer_invalid', message, { text })
}

function invalidAnswer(problems: readonly Problem[], text: string): RequestError {
  const message = `The model's answer is not what was asked for: ${listProblems(problems)}.`
  return new RequestError('answer_invalid', message, { problems, text })
}
