import type { BuiltCall } from '../context/built-call.ts'
import type { Call } from '../context/message.ts'
import { isJsonObject } from '../json/json.ts'
import { isFunction } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import { providerSafeName } from '../schema/tool-name.ts'
import { askedSchema, askedTools, isComposed } from './asked-schema.ts'
import { deferredTools } from './deferred-tools.ts'
import { fitAnswer } from './fit-answer.ts'
import type { ModelAnswer, ModelRequest } from './model-answer.ts'
import { type TestModel, testModel } from './test-model.ts'

/**
 * One answer of a scripted model. `calls` and `output` are written as the request's schema wants them; of a request
 * that asks for data alone, such as one for a latent Call, `output` is the data.
 */
export interface ScriptedAnswer {
  /** Calls, best made with the typed builders of `generated/`: `calls.weatherCheck({ location: 'Oslo' })`. */
  readonly calls?: readonly (BuiltCall<unknown> | Call)[]
  readonly output?: unknown
  /** Said instead, as it is: what a model that is not held to a schema may say. */
  readonly text?: string
  readonly refusal?: string
  readonly isTruncated?: boolean
  readonly usage?: ModelAnswer['usage']
}

/** A turn of a script: an answer, or what makes one of the request. */
export type ScriptedTurn = ScriptedAnswer | ((request: ModelRequest) => ScriptedAnswer)

/**
 * A model that says what a test wants, turn by turn. Asked more often than it has turns, it fails.
 *
 * @example
 * const model = scriptedModel([
 *   { calls: [calls.fileStats({ file: 'a.txt' })] },
 *   { output: 'It has 3 lines.' },
 * ])
 * await Agent({ model: 'scripted', client: model, tools: Tool, output: { type: 'string' } })
 */
export function scriptedModel(turns: readonly ScriptedTurn[]): TestModel {
  requireArgument('scriptedModel', turns, [
    (value) => Array.isArray(value) && value.every((turn) => isJsonObject(turn) || isFunction(turn)),
    'a list of answers, or of functions that give them',
  ])
  let count = 0
  return testModel((request) => {
    const turn = turns[count++]
    if (turn === undefined) {
      throw new Error(`The script has ${turns.length} turns, and the model was asked once more. Add a turn.`)
    }
    return writeAnswer(typeof turn === 'function' ? turn(request) : turn, request)
  })
}

/** Writes an answer of the script in the form that the request asks for. */
function writeAnswer(answer: ScriptedAnswer, request: ModelRequest): ModelAnswer {
  const { calls = [], output = null, text, refusal, isTruncated, usage } = answer
  const said = {
    ...(refusal !== undefined && { refusal }),
    ...(isTruncated !== undefined && { isTruncated }),
    ...(usage && { usage }),
  }
  if (text !== undefined || refusal !== undefined) return { ...said, ...(text !== undefined && { text }) }
  const { hidden, show } = deferredTools(request)
  const schema = askedSchema(request)
  if (schema && isComposed(schema)) {
    const hasGoal = Object.hasOwn(schema.properties ?? {}, 'output')
    return { ...said, text: json(fitAnswer({ calls, ...(hasGoal && { output }) }, schema)) }
  }
  const tools = askedTools(request)
  if (calls.length > 0) {
    const toolCalls = calls.map(({ _tool, ...parameters }) => {
      const name = providerSafeName(_tool)
      const tool = tools.find((each) => each.name === name)
      return { name, arguments: json(tool ? fitAnswer(parameters, tool.parameters) : parameters) }
    })
    const sought = toolCalls.map(({ name }) => name).filter((name) => hidden.has(name))
    if (sought.length === 0) return { ...said, toolCalls }
    if (request.api === 'responses') return { ...said, toolCalls, searched: show(sought) }
    throw new Error(`The script calls "${sought[0]}", which is deferred: no tool_reference has shown it yet.`)
  }
  if (!schema) return { ...said, text: output === null ? '' : json(output) }
  const isGoal = tools.length > 0 || Object.keys(schema.properties ?? {}).join() === 'output'
  if (isGoal && output === null) return { ...said, text: '' }
  return { ...said, text: json(fitAnswer(isGoal ? { output } : output, schema)) }
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
