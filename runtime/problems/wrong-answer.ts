import { CallError } from '../errors.ts'
import { briefly } from './problem.ts'

/**
 * Builds the `invalid_options` error for a caller's function that returned the wrong kind of value.
 *
 * @param whose The function's name, for the message.
 * @param expected What it should have returned.
 * @example throw wrongAnswer('`retry.backoff`', 'milliseconds', 'soon')
 */
export function wrongAnswer(whose: string, expected: string, answer: unknown): CallError {
  // Nobody awaits this promise, so without a handler its rejection would end the process.
  if (answer instanceof Promise) answer.catch(() => {})
  return new CallError('invalid_options', `${whose} answered ${briefly(answer)}. Expected ${expected}.`)
}

/**
 * Reads the result of a caller's predicate: `true`, or a falsy value for false. A promise is refused, since it would
 * always be truthy.
 *
 * @throws CallError `invalid_options` for anything else.
 */
export function yesOrNo(whose: string, answer: unknown): boolean {
  if (answer === true || !answer) return answer === true
  throw wrongAnswer(whose, 'true or false, at once', answer)
}
