import { OutputError, type Problem } from '../errors.ts'
import { listProblems } from '../problems/problem.ts'
import type { Check } from '../schema/validator.ts'
import type { PreparedCall } from './prepared-call.ts'

/** Why an output is not allowed, by its check; undefined where it is (ACT-7). */
export function invalidOutput(prepared: PreparedCall, check: Check, output: unknown): OutputError {
  const problems: Problem[] = []
  check(output, '', problems)
  return outputError(prepared, problems)
}

export function outputError(prepared: PreparedCall, problems: readonly Problem[]): OutputError {
  const { implementation, entry } = prepared
  const who = implementation.mode === 'explicit' ? `Activity "${implementation.activity}"` : 'The model'
  return new OutputError(
    'invalid_output',
    `${who} gave an output that the _output of "${entry.facts.name}" does not allow: ${listProblems(problems)}.`,
    { problems },
  )
}
