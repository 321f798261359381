import type { CallError } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
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
 * Parses a Call's `_outputPath`, to be done before anything runs: each path must still be one as it would be stored,
 * which `user.name` is as the longer `†state.user.name` (OUT-7a).
 *
 * @returns undefined when the Call has none (OUT-1).
 * @throws CallError `invalid_path`.
 */
export function outputPathOf(call: Call): Expression | undefined {
  const text = own(call, '_outputPath')
  if (typeof text !== 'string') return undefined
  const expression = parseOutputPath(text)
  // A path that begins with † is stored as it stands, or without quotes that it does not need.
  if (expression.daggers) return expression
  for (const path of expression.alternatives.flat()) {
    const stored = formatPath(path)
    if (!parseExpression(stored)) throw notStorable(stored)
    if (path.segments[0] === 'state' && !text.includes('†')) throw withoutDagger(text, stored)
  }
  return expression
}

/** Nobody would find what is written below `†state.state`. */
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
 * Makes the Messages of an output: one for each path of the first alternative (OUT-2, OUT-5, OUT-6). Call and output
 * are copied. An output that is nothing is written as null, so that what waits for it can see that it is done.
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
 * Makes the Messages of a failure: `{ name, code, message }` for each path of the last alternative (OUT-6); none when
 * the path offers no alternative.
 *
 * @param failure What was thrown. Its own `code` is kept, where it has one.
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
 * Makes the Messages of one alternative, for each of its paths: what `branch()` asked for.
 *
 * @param alternative Counted from 0.
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

/** The place of the alternative that a name stands for: with a path that ends in it, or is it; -1 for none. */
export function alternativeNamed({ alternatives }: Expression, name: string): number {
  return alternatives.findIndex((paths) =>
    paths.some((path) => (path.segments.at(-1) ?? path.kind) === name || formatPath(path) === name),
  )
}

/** One Message for each path, which writes the value there. */
function messagesFor(call: Call, paths: readonly Path[] = [], value: unknown, date: string): DataMessage[] {
  const method = own(call, '_outputMethod')
  const instance = own(call, '_instance')
  return paths.map((path) => ({
    type: 'data',
    kind: path.kind,
    data: nest(path.segments, copyJson(value)),
    _call: copyJson(call),
    _date: date,
    _path: formatPath(path),
    ...(typeof method === 'string' && { _outputMethod: method as OutputMethod }),
    ...(typeof instance === 'string' && { _instance: instance }),
  }))
}

function failureData(failure: unknown): { name: string; code: string | number; message: string } {
  const { name, code, message } = isJsonObject(failure)
    ? failure
    : { name: undefined, code: undefined, message: failure }
  return {
    name: typeof name === 'string' ? name : 'Error',
    code: typeof code === 'string' || typeof code === 'number' ? code : 'activity_failed',
    message: typeof message === 'string' ? message : `The Activity threw ${briefly(failure)}.`,
  }
}

/** Which alternative a Message took, counted from 0, and what it holds there. */
export interface TakenBranch {
  readonly alternative: number
  readonly value: unknown
}

/**
 * Finds the alternative of an output path that an Activity's Message took (OUT-7): the first of which it writes a path.
 *
 * @returns undefined when the Message writes none of them.
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
