import type { Call } from '../context/message.ts'
import { messagesOf } from '../context/messages-of.ts'
import { requireMessage } from '../context/well-formed-message.ts'
import { CallError, type CallsheetError, isCallsheetError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import { messageOf } from '../problems/message-of.ts'
import { asError, asInternal } from './as-error.ts'
import { asGiven } from './as-given.ts'
import type { Cancellation } from './cancellation.ts'
import { copyCall } from './copy-call.ts'
import { findTool } from './find-tool.ts'
import { dataPlane, loadDataPlane } from './load-data-plane.ts'
import { extras, loadExtras, wantsExtras } from './load-extras.ts'
import { type AcceptedCall, toolNameOf } from './outcome-of.ts'
import { prepareCall } from './prepare-call.ts'
import { nextId, type RegistryState } from './registry-state.ts'
import type { RunOptions } from './run-options.ts'

/** Who the Call is from its acceptance on, whatever Call takes its place. */
interface Identity {
  readonly id: string
  readonly startedAt: number
}

/**
 * Accepts a Call: from here on it ends in exactly one Outcome (CALL-8). Never throws or rejects. Answers at once where
 * the Tool's checks are loaded and no hook is asked, since a promise costs as much as a check.
 *
 * @param outer Cancels the wait for the hook `before`.
 */
export function acceptCall(
  state: RegistryState,
  given: Call,
  options: RunOptions,
  outer?: Cancellation,
): AcceptedCall | Promise<AcceptedCall> {
  const identity = { id: options.id ?? nextId(), startedAt: Date.now() }
  if (state.events.has('call:start')) state.events.emit('call:start', { id: identity.id, call: given })
  if (options.before) {
    const call = asGiven(given)
    const accept = (own: Call) => acceptInstead(state, own, options, identity)
    return loadExtras().then(({ acceptHooked }) => acceptHooked(call, options, identity, outer, accept))
  }
  return acceptInstead(state, given, options, identity)
}

/** Accepts a Call in the place of one that was accepted before: under its identity, and without a second start. */
export function acceptInstead(
  state: RegistryState,
  call: Call,
  options: RunOptions,
  { id, startedAt }: Identity,
): AcceptedCall | Promise<AcceptedCall> {
  try {
    const entry = findTool(state, call, options)
    const copy = copyCall(entry.facts, call)
    const plane = copy.touchesContext ? dataPlane() : undefined
    const extra = wantsExtras(options) ? extras() : undefined
    const { checks } = entry
    if (!checks || (copy.touchesContext && !plane) || (wantsExtras(options) && !extra)) {
      return acceptLoaded(state, copy.call, options, { id, startedAt }, copy.touchesContext)
    }
    return {
      id,
      call,
      startedAt,
      prepared: prepareCall(state, { entry, checks, plane, extras: extra, copy }, call, options, id),
    }
  } catch (thrown) {
    return { id, call, startedAt, error: asCallError(thrown, call, options), mode: modeOf(state, call) }
  }
}

/** How a Call that cannot run would have run. */
function modeOf(state: RegistryState, call: Call): 'explicit' | 'latent' {
  const entry = state.tools.get(toolNameOf(call))
  return entry ? state.activities.resolve(entry).mode : 'latent'
}

/** Loads the Tool's checks, what reads a context where the Call does, and the extras of the run; once per process. */
async function acceptLoaded(
  state: RegistryState,
  call: Call,
  options: RunOptions,
  identity: Identity,
  touchesContext: boolean,
): Promise<AcceptedCall> {
  try {
    const entry = findTool(state, call, options)
    await Promise.all([
      entry.loadChecks(),
      touchesContext && loadDataPlane(),
      wantsExtras(options) && loadExtras(),
    ])
  } catch (thrown) {
    return { ...identity, call, error: asError(thrown, 'The checks of the Tool could not be loaded') }
  }
  return acceptInstead(state, call, options, identity)
}

/**
 * The error of a Call that could not be looked at. Where the Call or a Message of its context is not plain JSON (a getter
 * or a proxy that throws, a Message that is none), it is theirs; anything else is a defect of Callsheet (CALL-12).
 */
function asCallError(thrown: unknown, call: Call, { context }: RunOptions): CallsheetError {
  if (isCallsheetError(thrown)) return thrown
  try {
    copyJson(call)
    for (const [index, message] of messagesOf(context).entries()) {
      requireMessage(message, `Message ${index} of the context`)
      copyJson(message)
    }
  } catch (unreadable) {
    if (isCallsheetError(unreadable)) return unreadable
    const message = `The Call cannot be read: ${messageOf(thrown)}. Pass plain JSON, the Messages of its context included.`
    return new CallError('invalid_call', message, { cause: thrown })
  }
  return asInternal(thrown, 'accepted the Call')
}
