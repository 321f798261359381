import type { Message } from '../../context/message.ts'
import type { CallsheetError } from '../../errors.ts'
import { isJsonObject, own } from '../../json/json.ts'
import type { AcceptedCall } from '../accept/accepted-call.ts'
import type { Outcome, OutcomeStatus } from '../outcome.ts'

export type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** How a Call ended. */
interface Ending {
  readonly attempts: number
  readonly error?: CallsheetError | undefined
  readonly status?: OutcomeStatus
  readonly appended: readonly Message[]
}

/**
 * Makes the record of a Call; `status` follows from the error by default. A record that nobody sees (`isRecorded`) has no id
 * and no times, since only the caller's result is taken from it.
 */
export function makeOutcome(accepted: AcceptedCall, ending: Ending): Writable<Outcome> {
  const { run, call, prepared, mode = 'latent' } = accepted
  const { isRecorded, startedAt } = run
  const { error, status = error ? statusOf(error) : 'succeeded', appended, attempts } = ending
  const implementation = prepared?.implementation
  const explicit = implementation?.mode === 'explicit'
  const outcome: Writable<Outcome> = {
    id: isRecorded ? run.id : '',
    call,
    tool: prepared ? prepared.entry.facts.name : toolNameOf(call),
    mode: implementation?.mode ?? mode,
    delegated: prepared?.delegated ?? false,
    status,
    appended,
    attempts,
    startedAt,
    endedAt: isRecorded ? Date.now() : startedAt,
  }
  if (explicit) {
    outcome.activity = implementation.activity
    if (implementation.variant !== 'default') outcome.variant = implementation.variant
    if (prepared?.predicted) outcome.predicted = prepared.predicted.output
  }
  if (error) outcome.error = error
  return outcome
}

/** The status of a Call that ends with this error. */
export function statusOf(error: CallsheetError): 'failed' | 'aborted' | 'refused' {
  return error.code === 'aborted' || error.code === 'refused' ? error.code : 'failed'
}

/** The Tool that a Call names; `''` for anything but a Call, which gets an Outcome as well. */
export function toolNameOf(call: unknown): string {
  try {
    const name = isJsonObject(call) ? own(call, '_tool') : undefined
    return typeof name === 'string' ? name : ''
  } catch {
    // A getter or a proxy that throws names no Tool; accepting the Call says so.
    return ''
  }
}
