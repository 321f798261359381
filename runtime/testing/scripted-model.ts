import { interpretCheck } from '../check-tree/interpret.ts'
import type { GivenCall } from '../context/message.ts'
import { CallsheetError, type Problem } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { type FieldRule, flag, isFunction, text as someString } from '../problems/field-rule.ts'
import { messageOf } from '../problems/message-of.ts'
import {
  type OptionRules,
  optionProblems,
  requireArgument,
  wrongOptions,
} from '../problems/option-problems.ts'
import { problem } from '../problems/problem.ts'
import { providerSafeName } from '../schema/tool-name.ts'
import { askedSchema, askedTools, isComposed } from './asked-schema.ts'
import { deferredTools } from './deferred-tools.ts'
import { fitAnswer } from './fit-answer.ts'
import { type ModelAnswer, type ModelRequest, usageRule } from './model-answer.ts'
import { type TestModel, testModel } from './test-model.ts'

/**
 * One answer of a scripted model. `calls` and `output` are converted to the form of the request's schema. For a request
 * for data, such as one of a latent Call, `output` is the data.
 */
export interface ScriptedAnswer {
  /** Calls; preferably made with the typed builders of `generated/`: `calls.weatherCheck({ location: 'Oslo' })`. */
  readonly calls?: readonly GivenCall[]
  readonly output?: unknown
  /**
   * Sent unchanged, like the text of a model without an enforced schema. With `calls`, it is the text before the native
   * tool calls; it cannot be combined with anything else.
   */
  readonly text?: string
  readonly refusal?: string
  readonly isTruncated?: boolean
  readonly usage?: ModelAnswer['usage']
}

/** A turn of a script: an answer, or a function from the request to one. */
export type ScriptedTurn =
  | ScriptedAnswer
  | ((request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

const anything: FieldRule = [() => true, 'anything']

const answerRules: OptionRules<ScriptedAnswer> = {
  calls: [Array.isArray, 'a list of Calls'],
  output: anything,
  text: someString,
  refusal: someString,
  isTruncated: flag,
  usage: usageRule,
}

/**
 * Creates a model that gives fixed answers, turn by turn. A request beyond its last turn fails.
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
  requireAnswers(turns.flatMap((turn, index) => (isFunction(turn) ? [] : answerProblems(turn, `/${index}`))))
  let count = 0
  let threw = ''
  return testModel(async (request) => {
    const index = count++
    const turn = turns[index]
    if (turn === undefined) {
      const many = `${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}`
      throw new CallsheetError(
        'invalid_options',
        `The script has ${many}, and the model was asked once more. Add a turn.${threw}`,
      )
    }
    if (typeof turn !== 'function') return writeAnswer(turn, request)
    let answer: ScriptedAnswer
    try {
      answer = await turn(request)
    } catch (error) {
      const message = `Turn ${index + 1} of the script threw: ${messageOf(error)}`
      if (isAssertion(error)) throw new CallsheetError('invalid_options', message, { cause: error })
      // An exception that a client could throw is retried like one: the next turn answers the retry.
      threw ||= ` ${message}`
      throw error
    }
    requireAnswers(answerProblems(answer, `/${index}`))
    return writeAnswer(answer, request)
  })
}

/** Lists the problems of an answer: a misspelt property, or one that another overrides, would silently have no effect. */
function answerProblems(answer: unknown, at: string): Problem[] {
  if (answer instanceof Promise) return [problem(at, 'an answer, or a function that gives one', answer)]
  const problems = optionProblems(answer, answerRules, at)
  if (problems.length > 0) return problems
  const { text, refusal, calls, output } = answer as ScriptedAnswer
  const isSaid = text !== undefined || refusal !== undefined
  if (isSaid && output !== undefined) {
    problems.push(problem(`${at}/output`, 'nothing beside a text or a refusal', output))
  }
  if (refusal !== undefined && calls !== undefined) {
    problems.push(problem(`${at}/calls`, 'nothing beside a refusal', calls))
  }
  return problems
}

function requireAnswers(problems: readonly Problem[]): void {
  if (problems.length > 0) throw wrongOptions('scriptedModel', problems)
}

/** True for an exception of a test's `expect` or `assert`: the test has failed, and a retry must not hide it. */
function isAssertion(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error.name === 'AssertionError' ||
    Reflect.get(error, 'code') === 'ERR_ASSERTION' ||
    'matcherResult' in error
  )
}

/** Converts an answer of the script to the form that the request requires. */
function writeAnswer(answer: ScriptedAnswer, request: ModelRequest): ModelAnswer {
  const { calls = [], output = null, text, refusal, isTruncated, usage } = answer
  const said = {
    ...(refusal !== undefined && { refusal }),
    ...(isTruncated !== undefined && { isTruncated }),
    ...(usage && { usage }),
  }
  const words = text !== undefined && { text }
  if (calls.length === 0 && (text !== undefined || refusal !== undefined)) return { ...said, ...words }
  const { hidden, show } = deferredTools(request)
  const schema = askedSchema(request)
  if (schema && isComposed(schema)) {
    if (text !== undefined) {
      throw new CallsheetError(
        'invalid_options',
        'The script says a text beside calls, and one schema holds all of this answer. Leave the text out, or ask with { mode: "native" }.',
      )
    }
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
    if (sought.length === 0) return { ...said, ...words, toolCalls }
    if (request.api === 'responses') return { ...said, ...words, toolCalls, searched: show(sought) }
    throw new Error(`The script calls "${sought[0]}", which is deferred: no tool_reference has shown it yet.`)
  }
  if (!schema) return { ...said, text: output === null ? '' : json(output) }
  const isGoal = tools.length > 0 || Object.keys(schema.properties ?? {}).join() === 'output'
  const fitted = fitAnswer(isGoal ? { output } : output, schema)
  // Null is the output if the script says so and the goal allows it; otherwise there is none yet.
  const isNone = isGoal && output === null && !(answer.output === null && interpretCheck(schema)(fitted))
  return { ...said, text: isNone ? '' : json(fitted) }
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
