import { isMessage } from '../context/well-formed-message.ts'
import { OutputError, type Problem } from '../errors.ts'
import { ended, listProblems } from '../problems/problem.ts'
import type { Check } from '../schema/validator.ts'
import type { PreparedCall } from './prepared-call.ts'

/** Makes the error of an output that its check refuses, with every problem (ACT-7). */
export function invalidOutput(prepared: PreparedCall, check: Check, output: unknown): OutputError {
  const problems: Problem[] = []
  check(output, '', problems)
  const looksLikeMessage = prepared.implementation.mode === 'explicit' && isMessage(output)
  return outputError(prepared, problems, looksLikeMessage ? howToWrap : '')
}

/** Only what is wrapped is a Message (ACT-6): an API could send the same JSON. */
const howToWrap =
  ' It has the shape of a Message. If it is meant to be one, wrap it: return message({ … }), or branch(name, data) for one alternative of _outputPath, both from "callsheet".'

export function outputError(
  prepared: PreparedCall,
  problems: readonly Problem[],
  hint: string = '',
): OutputError {
  const { implementation, entry } = prepared
  const who = implementation.mode === 'explicit' ? `Activity "${implementation.activity}"` : 'The model'
  const { name } = entry.facts
  return new OutputError(
    'invalid_output',
    ended(`${who} gave an output that the _output of "${name}" does not allow: ${listProblems(problems)}`) +
      hint,
    { problems },
  )
}
