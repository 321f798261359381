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
import { isRepeatable } from '../../schema/effects.ts'
import type { Check } from '../../schema/validator.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { Implementation } from './implementation.ts'

/**
 * Creates the error of a failed attempt. What an Activity throws becomes the cause of `activity_failed`, even a
 * Callsheet error: that belongs to another Call, which the Activity made. A Callsheet error of a model, or one passed
 * on from the process where the Call really ran (SERVE-4), is returned unchanged.
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

/** Creates the error of an attempt whose result cannot be used: `_output` does not allow it, or it cannot be copied. */
export function asOutputError(
  prepared: PreparedCall,
  implementation: Implementation,
  thrown: unknown,
): CallsheetError {
  if (isCallsheetError(thrown) && thrown.code === 'invalid_output') return thrown
  const message = sentence(prepared, implementation, 'returned an output that cannot be used', thrown)
  return new OutputError('invalid_output', message, { cause: thrown })
}

/**
 * Adds to the error of a timeout or an abort that the Activity may go on, unless the Call may run again anyway: a model
 * would ask for a payment a second time.
 */
export function asCutError(
  { implementation, entry, delegate }: PreparedCall,
  { code, message, cause }: CallsheetError,
): CallsheetError {
  const isExplicit = implementation.mode === 'explicit'
  // Of a file, only the model that runs it knows the Tools.
  const hasTools =
    delegate &&
    delegate.name !== 'anonymous' &&
    delegate.idea?.context.some(({ type }) => type === 'tool') !== false
  const mayGoOn = (isExplicit || hasTools) && !isRepeatable(entry.facts.effects)
  const what = isExplicit ? 'Activity may go on' : 'delegate may have run Calls'
  const hint = mayGoOn ? ` Its ${what}; look before you ask for it again.` : ''
  return new ActivityError(code, message + hint, { cause })
}

/** Creates the error of an output that its check refuses, with every problem (ACT-7). */
export function invalidOutput(prepared: PreparedCall, check: Check, output: unknown): OutputError {
  const problems: Problem[] = []
  check(output, '', problems)
  const looksLikeMessage = prepared.implementation.mode === 'explicit' && isMessage(output)
  return outputError(prepared, problems, looksLikeMessage ? howToWrap : '')
}

/**
 * Added if an output looks like a Message: only wrapped ones count (ACT-6), since an API could return the same JSON.
 */
const howToWrap = ' If it is a Message, wrap it: message({ … }), or branch(name, data).'

/** Creates the error of an output with these problems. */
export function outputError(
  prepared: PreparedCall,
  problems: readonly Problem[],
  hint: string = '',
): OutputError {
  const { implementation, entry } = prepared
  const { name, effects } = entry.facts
  // What the Activity did is done.
  const ran =
    effects === 'write' && implementation.mode === 'explicit'
      ? ' It has run; look before you ask for it again.'
      : ''
  return new OutputError(
    'invalid_output',
    ended(
      `${nameOf(implementation)} returned an output that the _output of "${name}" does not allow: ${listProblems(problems)}`,
    ) +
      ran +
      hint,
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
