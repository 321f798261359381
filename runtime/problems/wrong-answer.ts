import { CallError } from '../errors.ts'
import { briefly } from './problem.ts'

/**
 * The error about a function of the caller's whose answer is of another kind: `invalid_options`.
 *
 * @param whose Which function.
 * @param expected What it should have answered.
 * @example throw wrongAnswer('`retry.backoff`', 'milliseconds', 'soon')
 */
export function wrongAnswer(whose: string, expected: string, answer: unknown): CallError {
  // Nobody waits for a promise where an answer is due at once, so that its failure would end the process.
  if (answer instanceof Promise) answer.catch(() => {})
  return new CallError('invalid_options', `${whose} answered ${briefly(answer)}. Expected ${expected}.`)
}

/**
 * What a predicate of the caller's says: `true` is yes, and what is falsy no. A promise would be a yes whatever comes of it.
 *
 * @throws CallError `invalid_options` for anything else.
 */
export function yesOrNo(whose: string, answer: unknown): boolean {
  if (answer === true || !answer) return answer === true
  throw wrongAnswer(whose, 'true or false, at once', answer)
}
