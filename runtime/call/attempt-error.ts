import { ActivityError, type CallsheetError, isCallsheetError, OutputError } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import type { Implementation } from './implementation.ts'
import type { PreparedCall } from './prepared-call.ts'

/**
 * The error of an attempt that failed. What an Activity threw is `activity_failed` with it as the cause, also where it
 * is a Callsheet error: that one is of another Call, which the Activity made. What a model throws says best itself
 * what went wrong.
 */
export function asAttemptError(
  prepared: PreparedCall,
  implementation: Implementation,
  thrown: unknown,
): CallsheetError {
  if (isCallsheetError(thrown) && implementation.mode === 'latent') return thrown
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

function sentence(
  prepared: PreparedCall,
  implementation: Implementation,
  did: string,
  thrown: unknown,
): string {
  const who = implementation.mode === 'explicit' ? `Activity "${implementation.activity}"` : 'The model'
  return `${who} ${did} on "${prepared.entry.facts.name}": ${messageOf(thrown)}`
}
