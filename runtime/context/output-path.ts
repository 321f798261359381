import type { CallError } from '../errors.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { briefly } from '../problems/problem.ts'
import {
  type Call,
  type DataMessage,
  isDataMessage,
  type Message,
  messageKind,
  type OutputMethod,
} from './message.ts'
import {
  type Expression,
  formatPath,
  invalidPath,
  maximumLength,
  maximumSegments,
  type Path,
  parseExpression,
  parseOutputPath,
} from './reference.ts'
import { nest, valueAt, writesOf } from './write.ts'

/**
 * Parses a Call's `_outputPath`. Called before anything runs: each path must also be valid in its stored form, which is longer
 * (`user.name` is stored as `†state.user.name`) and so could exceed a limit (OUT-7a).
 *
 * @returns undefined if the Call has none (OUT-1).
 * @throws CallError `invalid_path`.
 */
export function outputPathOf(call: Call): Expression | undefined {
  const text = own(call, '_outputPath')
  if (typeof text !== 'string') return undefined
  const expression = parseOutputPath(text)
  // A path that begins with † is stored unchanged, or without unnecessary quotes.
  if (expression.daggers) return expression
  for (const path of expression.alternatives.flat()) {
    const stored = formatPath(path)
    if (!parseExpression(stored)) throw notStorable(stored)
    if (path.segments[0] === 'state' && !text.includes('†')) throw withoutDagger(text, stored)
  }
  return expression
}

/** Refuses paths below `†state.state`, which are a mistake: nobody would find the value there. */
function withoutDagger(text: string, stored: string): CallError {
  return invalidPath(text, `a path that begins with †, such as "†${text}", or "${stored}" if that is meant`)
}

function notStorable(stored: string): CallError {
  return invalidPath(
    stored,
    `at most ${maximumLength} characters and ${maximumSegments} segments, the † and its kind included`,
  )
}

/**
 * Makes the Messages of an output: one for each path of the first alternative (OUT-2, OUT-5, OUT-6). Call and output are
 * copied. An undefined output is written as null, so that Calls waiting for it see that it is there.
 *
 * @param date ISO 8601.
 */
export function writeOutput(
  call: Call,
  expression: Expression,
  output: unknown,
  date: string,
): DataMessage[] {
  return messagesFor(call, expression.alternatives[0], output ?? null, date)
}

/**
 * Makes the Messages of a failure: `{ name, code, message }` for each path of the last alternative (OUT-6); none if the path has
 * only one alternative.
 *
 * @param failure The thrown value. Its `code` is kept if it has one.
 */
export function writeFailure(
  call: Call,
  expression: Expression,
  failure: unknown,
  date: string,
): DataMessage[] {
  if (expression.alternatives.length < 2) return []
  return messagesFor(call, expression.alternatives.at(-1), failureData(failure), date)
}

/**
 * Makes the Messages of the alternative that `branch()` chose: one for each of its paths.
 *
 * @param alternative The alternative's index, from 0.
 */
export function writeAlternative(
  call: Call,
  expression: Expression,
  alternative: number,
  value: unknown,
  date: string,
): DataMessage[] {
  return messagesFor(call, expression.alternatives[alternative], value ?? null, date)
}

/** Returns the index of the alternative with a path that ends in the name, or equals it; -1 if there is none. */
export function alternativeNamed({ alternatives }: Expression, name: string): number {
  return alternatives.findIndex((paths) =>
    paths.some((path) => (path.segments.at(-1) ?? path.kind) === name || formatPath(path) === name),
  )
}

/** Makes one Message for each path, which writes the value there. */
function messagesFor(call: Call, paths: readonly Path[] = [], value: unknown, date: string): DataMessage[] {
  const method = own(call, '_outputMethod')
  return paths.map((path) => ({
    type: 'data',
    kind: path.kind,
    data: nest(path.segments, copyJson(value)),
    _call: copyJson(call),
    _date: date,
    _path: formatPath(path),
    ...(typeof method === 'string' && { _outputMethod: method as OutputMethod }),
    ...instanceOf(call),
  }))
}

/** Returns the `_instance` of a Message that a Call adds: the Call's own (INST-1). */
export function instanceOf(call: Call): { readonly _instance?: string } {
  const _instance = own(call, '_instance')
  return typeof _instance === 'string' ? { _instance } : {}
}

function failureData(failure: unknown): { name: string; code: string | number; message: string } {
  const { name, code, message }: JsonObject = isJsonObject(failure) ? failure : { message: failure }
  return {
    name: typeof name === 'string' ? name : 'Error',
    code: typeof code === 'string' || typeof code === 'number' ? code : 'activity_failed',
    message: typeof message === 'string' ? message : `The Activity threw ${briefly(failure)}.`,
  }
}

/** The alternative that a Message writes, by index from 0, and the value it writes. */
export interface TakenBranch {
  readonly alternative: number
  readonly value: unknown
}

/**
 * Finds the alternative of an output path that an Activity's Message writes (OUT-7): the first one with a path that it writes.
 *
 * @returns undefined if the Message writes none of them.
 */
export function takenBranch(expression: Expression, message: Message): TakenBranch | undefined {
  if (!isDataMessage(message)) return undefined
  const kind = messageKind(message)
  for (const [alternative, paths] of expression.alternatives.entries()) {
    for (const path of paths) {
      if (path.kind !== kind) continue
      for (const write of writesOf(message)) {
        const value = valueAt(nest(write.segments, write.value), path.segments)
        if (value !== undefined) return { alternative, value }
      }
    }
  }
  return undefined
}
