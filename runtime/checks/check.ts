import type { Problem } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import { problem } from '../problems/problem.ts'
import type { Check } from '../schema/validator.ts'
import type { Step } from './step.ts'

/**
 * What generated checks call. They import it from the fenced entry; the interpreter calls the same functions, so that
 * both give the same verdict in the same words.
 */
export { isJsonObject as isObject, own } from '../json/json.ts'
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
  string,
  text,
  typed,
} from './scalars.ts'
export type { Step } from './step.ts'

/**
 * Makes a check of a step. The check looks quickly first and collects problems only for a wrong value. It never
 * throws: a value that is nested too deeply, refers to itself, or has a property that throws gives a problem.
 */
export function check(step: Step): Check {
  return (value, path = '', problems = null) => {
    try {
      if (step(value, '', null)) return true
      if (problems) collect(step, value, path, problems)
    } catch (error) {
      problems?.push(unreadable(path, error))
    }
    return false
  }
}

function collect(step: Step, value: unknown, path: string, problems: Problem[]): void {
  const found: Problem[] = []
  step(value, path, found)
  if (found.length === 0) found.push(problem(path, 'a value that does not change while it is read', value))
  // Several parts of a schema may expect the same of one value: said once.
  const said = new Set<string>()
  for (const each of found) {
    if (said.has(each.message)) continue
    said.add(each.message)
    problems.push(each)
  }
}

function unreadable(path: string, error: unknown): Problem {
  const tooDeep = error instanceof RangeError
  const expected = tooDeep
    ? 'a value that does not refer to itself and is not nested so deeply'
    : 'a value whose properties can be read'
  const received = tooDeep ? 'a value nested too deeply' : `an error: ${messageOf(error).slice(0, 200)}`
  return {
    path,
    expected,
    received,
    message: `${path === '' ? '' : `${path}: `}expected ${expected}, got ${received}`,
  }
}
