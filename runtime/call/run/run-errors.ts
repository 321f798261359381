import { isMessage } from '../../context/well-formed-message.ts'
import {
  ActivityError,
  type CallsheetError,
  isCallsheetError,
  OutputError,
  type Problem,
} from '../../errors.ts'
import { isHandedOn } from '../../problems/handed-on.ts'
import { messageOf } from '../../problems/message-of.ts'
import { ended, listProblems } from '../../problems/problem.ts'
import type { Check } from '../../schema/validator.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { Implementation } from './implementation.ts'

/**
 * The error of an attempt that failed. What an Activity threw is `activity_failed` with it as the cause, also where it
 * is a Callsheet error: that one is of another Call, which the Activity made. What a model throws says best itself
 * what went wrong, and so does what came from where the Call really ran (SERVE-4).
 */
export function asAttemptError(
  prepared: PreparedCall,
  implementation: Implementation,
  thrown: unknown,
): CallsheetError {
  if (isCallsheetError(thrown) && (implementation.mode === 'latent' || isHandedOn(thrown))) return thrown
  return new ActivityError('activity_failed', sentence(prepared, implementation, 'failed', thrown), {
    cause: thrown,
  })
}

/** The error of an attempt whose result cannot be used: it is not allowed, or it cannot even be copied. */
export function asOutputError(
  prepared: PreparedCall,
  implementation: Implementation,
  thrown: unknown,
): CallsheetError {
  if (isCallsheetError(thrown) && thrown.code === 'invalid_output') return thrown
  const message = sentence(prepared, implementation, 'gave an output that cannot be used', thrown)
  return new OutputError('invalid_output', message, { cause: thrown })
}

/** Makes the error of an output that its check refuses, with every problem (ACT-7). */
export function invalidOutput(prepared: PreparedCall, check: Check, output: unknown): OutputError {
  const problems: Problem[] = []
  check(output, '', problems)
  const looksLikeMessage = prepared.implementation.mode === 'explicit' && isMessage(output)
  return outputError(prepared, problems, looksLikeMessage ? howToWrap : '')
}

/** Only what is wrapped is a Message (ACT-6): an API could send the same JSON. */
const howToWrap =
  ' It looks like a Message. If it is one, wrap it: message({ … }), or branch(name, data), both from "callsheet".'

/** Makes the error of an output with these problems. */
export function outputError(
  prepared: PreparedCall,
  problems: readonly Problem[],
  hint: string = '',
): OutputError {
  const { implementation, entry } = prepared
  const { name } = entry.facts
  return new OutputError(
    'invalid_output',
    ended(
      `${nameOf(implementation)} gave an output that the _output of "${name}" does not allow: ${listProblems(problems)}`,
    ) + hint,
    { problems },
  )
}

function sentence(
  prepared: PreparedCall,
  implementation: Implementation,
  did: string,
  thrown: unknown,
): string {
  return `${nameOf(implementation)} ${did} on "${prepared.entry.facts.name}": ${messageOf(thrown)}`
}

function nameOf(implementation: Implementation): string {
  return implementation.mode === 'explicit' ? `Activity "${implementation.activity}"` : 'The model'
}
