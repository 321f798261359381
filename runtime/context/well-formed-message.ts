import { CallsheetError, type Problem } from '../errors.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { pointerOf, pointerSegment } from '../json/json-pointer.ts'
import { findNotJson, isJson } from '../json/not-json.ts'
import { type FieldRule, oneOf, text } from '../problems/field-rule.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly, ended, extraProperty, listProblems, listSome, problem } from '../problems/problem.ts'
import type { GivenMessage, Message } from './message.ts'
import { type MadeMessage, messageMark } from './message-mark.ts'
import { outputMethod } from './output-methods.ts'
import { parseExpression } from './reference.ts'

const anything: FieldRule = [(value) => value !== undefined, 'a JSON value']
const calls: FieldRule = [(value) => Array.isArray(value) && value.every(isCall), 'a list of Calls']

const ofAll = { type: text, _instance: text }
const ofData = {
  ...ofAll,
  description: text,
  schema: [
    (value: unknown) => typeof value === 'boolean' || isPlain(value),
    'a JSON Schema, such as z.toJSONSchema(schema)',
  ],
  _outputMethod: outputMethod,
  _path: [isSinglePath, 'a single path such as †state.user.name'],
  _call: [isCall, 'a Call: an object with a `_tool`'],
  _date: text,
} as const

/** The fields of each shape. The one named like the type, or else `data`, is required; the others are optional. */
const shapes: Readonly<Record<Message['type'], Readonly<Record<string, FieldRule>>>> = {
  text: { ...ofAll, role: text, text },
  data: { ...ofData, kind: text, data: anything },
  input: { ...ofData, input: anything },
  state: { ...ofData, state: anything },
  tool: { ...ofAll, tool: [isPlain, 'a Tool schema'] },
  plan: { ...ofAll, plan: calls, mode: oneOf('eager', 'lazy') },
  error: { ...ofAll, data: [isFailure, '{ call, error: { code, message } }'] },
}

/**
 * True for a well-formed Message: one of the shapes of {@link Message}, without inherited or additional properties. Never throws,
 * whatever the value is.
 */
export function isMessage(value: unknown): value is Message {
  try {
    return messageProblems(value, '').length === 0
  } catch {
    // A getter or a proxy threw: not plain JSON, so not a Message.
    return false
  }
}

function readProblems(value: unknown, at: string = ''): Problem[] {
  try {
    return messageProblems(value, at)
  } catch {
    // A getter or a proxy threw.
    return [problem(at, 'a Message that can be read', value)]
  }
}

/** Lists the problems of a value as a Message; empty for a well-formed one. */
function messageProblems(value: unknown, at: string): Problem[] {
  if (!isJsonObject(value)) return [problem(at, 'a Message: an object with a `type`', value)]
  const type = Object.hasOwn(value, 'type') ? value.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) {
    return [problem(`${at}/type`, oneOf(...Object.keys(shapes))[1], type)]
  }
  const problems = fieldProblems(value, type, shapes[type as Message['type']], at)
  return problems.length === 0 && holders.has(type) ? dataProblems(value, type, at) : problems
}

/** Shapes that hold their data in a property named like their type. */
const holders: ReadonlySet<string> = new Set(['data', 'input', 'state'] satisfies Message['type'][])

/**
 * Requires plain JSON: what is read from a context must equal what is stored and shown to a model, and the copy of a
 * Date is an empty object.
 */
function dataProblems(value: JsonObject, type: string, at: string): Problem[] {
  if (isJson(value[type])) return []
  const found = findNotJson(value[type], [type])
  // The nesting depth is checked when it is copied.
  return !found || found.isTooDeep ? [] : [problem(at + pointerOf(found.path), plainData, found.value)]
}

export const plainData = 'plain JSON, so of a Date its text and of a Map its entries'

function fieldProblems(
  value: JsonObject,
  type: string,
  fields: Readonly<Record<string, FieldRule>>,
  at: string,
): Problem[] {
  // An undefined property counts as absent: JSON leaves it out.
  const present = Object.keys(value).filter((name) => value[name] !== undefined)
  const names = new Set([Object.hasOwn(fields, type) ? type : 'data', ...present])
  return [...names].flatMap((name) => {
    const rule = own(fields, name) as FieldRule | undefined
    const found = own(value, name)
    const path = `${at}/${pointerSegment(name)}`
    if (!rule) return [extraProperty(path, found, nearest(name, Object.keys(fields)))]
    const [holds, expected] = rule
    return holds(found) ? [] : [problem(path, expected, found)]
  })
}

/**
 * Returned by an Activity to add a Message to the context instead of an output (ACT-6). Only marked values become Messages: the
 * response of an API never does, whatever it looks like.
 *
 * @returns A marked copy.
 * @throws CallsheetError `invalid_message`, listing every problem, if the value is not a Message.
 * @example
 * Activity.register('divide', async ({ a, b }) =>
 *   b === 0 ? message({ type: 'data', kind: 'state', data: { error: { reason: 'division by zero' } } }) : a / b)
 */
export function message<Made extends GivenMessage>(value: Made): MadeMessage<Made> {
  requireMessage(value)
  // The one cast for the brand: `~made` exists only in the type.
  return Object.defineProperty({ ...value }, messageMark, { value: true }) as unknown as MadeMessage<Made>
}

/**
 * Requires a value to be a Message.
 *
 * @throws CallsheetError `invalid_message`, listing every problem.
 */
export function requireMessage(value: unknown, which: string = 'This'): asserts value is Message {
  const problems = readProblems(value)
  if (problems.length === 0) return
  throw new CallsheetError('invalid_message', notAMessage(which, value, problems), { problems })
}

/** Most wrong Messages of a list that an error describes. */
const saidMessages = 5

/**
 * Requires every item of a list to be a Message.
 *
 * @param of What the list is, for the error: `the context`.
 * @throws CallsheetError `invalid_message`, listing the problems of all of them.
 */
export function requireEachMessage(
  values: readonly unknown[],
  of: string,
): asserts values is readonly Message[] {
  const sentences: string[] = []
  // A copy, since `flatMap` passes over holes, which a context cannot be read with.
  const problems = [...values].flatMap((value, index) => {
    const found = readProblems(value, `/${index}`)
    if (found.length > 0) sentences.push(notAMessage(`Message ${index} of ${of}`, value, found))
    return found
  })
  if (problems.length > 0)
    throw new CallsheetError('invalid_message', listSome(sentences, saidMessages, ' '), { problems })
}

function notAMessage(which: string, value: unknown, problems: readonly Problem[]): string {
  return `${which} is not a Message: ${briefly(value)}. ${ended(listProblems(problems))}`
}

/** False for a schema of another library. Those of Zod 4 hide their code in `_zod`. */
function isPlain(schema: unknown): boolean {
  return isJsonObject(schema) && isJson(schema) && !('_zod' in schema)
}

function isCall(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, '_tool') && typeof value._tool === 'string'
}

function isSinglePath(value: unknown): boolean {
  const expression = typeof value === 'string' ? parseExpression(value) : null
  const [only, ...others] = expression?.alternatives ?? []
  return only?.length === 1 && others.length === 0 && expression?.reserved === undefined
}

function isFailure(value: unknown): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'call') || !Object.hasOwn(value, 'error')) return false
  const { error } = value
  return isJsonObject(error) && typeof error.code === 'string' && typeof error.message === 'string'
}
