import { contextViews } from '../context/context-views.ts'
import { CallError, type Problem } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { problem } from '../problems/problem.ts'
import type { GroupOptions } from './run-options.ts'

/**
 * Refuses options that would silently mean something else, such as a `NaN` of attempts, which would retry for ever.
 *
 * @throws CallError `invalid_options` with every problem; no Call has been accepted yet.
 */
export function requireOptions(options: GroupOptions): void {
  const { timeout, retry, concurrency, context } = options
  const problems: Problem[] = []
  const expect = (holds: boolean, path: string, expected: string, value: unknown): void => {
    if (!holds) problems.push(problem(path, expected, value))
  }
  if (timeout !== undefined) expect(timeout >= 0, '/timeout', 'milliseconds from 0', timeout)
  if (concurrency !== undefined) {
    const counts = concurrency === Number.POSITIVE_INFINITY || isCount(concurrency)
    expect(counts, '/concurrency', 'a whole number from 1', concurrency)
  }
  if (retry !== undefined) {
    expect(isCount(retry?.attempts), '/retry/attempts', 'a whole number from 1', retry?.attempts)
  }
  if (context !== undefined) {
    const isContext =
      Array.isArray(context) ||
      contextViews.has(context) ||
      (isJsonObject(context) && Array.isArray(context.messages))
    expect(isContext, '/context', 'a list of Messages, or a Context', context)
  }
  if (problems.length === 0) return
  const found = problems.map((each) => each.message).join('; ')
  throw new CallError('invalid_options', `The options cannot be used: ${found}.`, { problems })
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1
}
