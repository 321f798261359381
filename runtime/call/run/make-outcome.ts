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
 * Creates the Outcome of a Call; by default `status` follows from the error. If the run is not recorded (`isRecorded`),
 * the Outcome has no id and no times: only its output or error reaches the caller.
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

/** Returns the status of a Call that ends with this error. */
export function statusOf(error: CallsheetError): 'failed' | 'aborted' | 'refused' {
  return error.code === 'aborted' || error.code === 'refused' ? error.code : 'failed'
}

/** Returns the name of a Call's Tool; `''` for anything but a Call, since that gets an Outcome, too. */
export function toolNameOf(call: unknown): string {
  try {
    const name = isJsonObject(call) ? own(call, '_tool') : undefined
    return typeof name === 'string' ? name : ''
  } catch {
    // A getter or a proxy threw. Accepting the Call reports it.
    return ''
  }
}
