import type { Problem } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import { problem } from '../problems/problem.ts'
import type { Check } from '../schema/validator.ts'
import { Reasons } from './reasons.ts'
import { begin, collecting, end } from './remember.ts'
import type { Step, Verdict } from './step.ts'

/**
 * The functions that generated checks call, imported from the entry `callsheet/checks`. The interpreter calls the same functions,
 * so that both give the same verdicts and messages.
 */
export { isJsonObject as isObject } from '../json/json.ts'
export { array, contains, items, tuple, unique } from './arrays.ts'
export { anyOf, anything, at, choose, never, not, oneOf } from './combine.ts'
export {
  closed,
  counted,
  dependent,
  matching,
  named,
  object,
  others,
  present,
  required,
  unevaluated,
  without,
} from './objects.ts'
export { isClosed, own, record } from './record.ts'
export { rememberStep, rememberVerdict } from './remember.ts'
export {
  above,
  among,
  below,
  boolean,
  equals,
  integer,
  multiple,
  nothing,
  number,
  pattern,
  regularExpression,
  string,
  text,
  typed,
} from './scalars.ts'
export type { Step, Verdict } from './step.ts'
export { tagOf } from './tag.ts'

/**
 * Combines the two passes over a value into a check: the verdict, and the reasons, which are collected only after a "no". Never
 * throws: a value that is nested too deep, cyclic, or has a property that throws is reported as a problem.
 */
export function check(verdict: Verdict, reasons: Step): Check {
  return (value, path = '', problems = null) => {
    begin()
    try {
      if (verdict(value)) return true
      if (problems) collect(reasons, value, path, problems)
    } catch (error) {
      problems?.push(unreadable(path, error))
    } finally {
      end()
    }
    return false
  }
}

function collect(reasons: Step, value: unknown, path: string, problems: Problem[]): void {
  const found = new Reasons()
  collecting(() => reasons(value, path, found))
  if (found.isEmpty) problems.push(problem(path, 'a value that does not change while it is read', value))
  found.pushTo(problems)
}

function unreadable(path: string, error: unknown): Problem {
  const tooDeep = error instanceof RangeError
  const expected = tooDeep
    ? 'a value that neither holds itself nor nests so deeply'
    : 'a value whose properties can be read'
  const received = tooDeep ? 'a value nested too deeply' : `an error: ${messageOf(error).slice(0, 200)}`
  return {
    path,
    expected,
    received,
    message: `${path === '' ? '' : `${path}: `}expected ${expected}, got ${received}`,
  }
}
