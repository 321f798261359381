import type { Call } from '../../context/message.ts'
import type { CallsheetError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import type { nearest } from '../../problems/nearest.ts'
import type { Checks } from '../../schema/validator.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { asError } from '../call-errors.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { RegistryState } from '../registry-state.ts'
import { toolNameOf } from '../run/make-outcome.ts'
import type { RunOptions } from '../run-options.ts'
import { asUnreadable } from '../unreadable.ts'
import type { AcceptedCall } from './accepted-call.ts'
import { askBefore } from './ask-before.ts'
import { type CopiedCall, copyCall } from './copy-call.ts'
import { findTool } from './find-tool.ts'
import { Identity } from './identity.ts'
import { keepCall } from './keep-call.ts'
import { prepareCall } from './prepare-call.ts'

/**
 * Accepts a Call: from here on it ends in exactly one Outcome (CALL-8). Never throws or rejects. The Call is copied before
 * this returns, so that nobody changes it any more. Answers at once where the Tool's checks are loaded and no hook is
 * asked, since a promise costs as much as a check.
 *
 * @param group What the Call is one of; cancels the wait for the hook `before`.
 * @param isRecorded False where nobody sees the Outcome of the Call: then no copy is made for it.
 */
export function acceptCall(
  state: RegistryState,
  given: Call,
  options: RunOptions,
  group?: CallGroup,
  isRecorded: boolean = true,
): AcceptedCall | Promise<AcceptedCall> {
  const identity = new Identity(options.id, isRecorded)
  // A copy, since who takes out of it what no log is to have changes nothing of what runs.
  if (state.events.has('call:start'))
    state.events.emit('call:start', { id: identity.id, call: keepCall(given) })
  if (!options.before) return acceptAs(identity, state, given, options, group?.guess)
  const accept = acceptLater(identity, state, options, group?.guess)
  return askBefore(given, options, identity, group?.cancellation, accept)
}

/** Apart from `acceptCall`, where the variables of a closure would be kept for every Call, hook or not. */
function acceptLater(
  identity: Identity,
  state: RegistryState,
  options: RunOptions,
  guess: typeof nearest | undefined,
): (call: Call) => AcceptedCall | Promise<AcceptedCall> {
  return (call) => acceptAs(identity, state, call, options, guess)
}

/** Accepts a Call in the place of one that was accepted before: under its identity, and without a second start. */
export function acceptAs(
  identity: Identity,
  state: RegistryState,
  given: Call,
  options: RunOptions,
  guess?: typeof nearest,
): AcceptedCall | Promise<AcceptedCall> {
  try {
    const entry = findTool(state, given, options, guess)
    const copy = copyCall(entry.facts, given, identity.isRecorded)
    if (entry.checks) return acceptWith(identity, state, entry, entry.checks, copy, options)
    return acceptLoaded(identity, state, entry, copy, options)
  } catch (thrown) {
    return refused(identity, state, given, asCallError(thrown, given, options))
  }
}

/** Loads the Tool's checks first: with its first Call. */
async function acceptLoaded(
  identity: Identity,
  state: RegistryState,
  entry: ToolEntry,
  copy: CopiedCall,
  options: RunOptions,
): Promise<AcceptedCall> {
  let checks: Checks
  try {
    checks = await entry.loadChecks()
  } catch (thrown) {
    const error = asError(thrown, `The checks of Tool "${entry.facts.name}" could not be loaded`)
    return refused(identity, state, copy.record, error)
  }
  return acceptWith(identity, state, entry, checks, copy, options)
}

/** Prepares a copied Call by its Tool's checks. */
function acceptWith(
  identity: Identity,
  state: RegistryState,
  entry: ToolEntry,
  checks: Checks,
  copy: CopiedCall,
  options: RunOptions,
): AcceptedCall {
  try {
    const prepared = prepareCall(state, entry, checks, copy, options, identity)
    return { identity, call: copy.record, prepared }
  } catch (thrown) {
    return refused(identity, state, copy.record, asCallError(thrown, copy.record, options))
  }
}

function refused(identity: Identity, state: RegistryState, call: Call, error: CallsheetError): AcceptedCall {
  const entry = state.tools.get(toolNameOf(call))
  // How a Tool runs says that it is there, also to those for whom it is not (SERVE-6).
  const mode = entry && error.code !== 'unknown_tool' ? state.activities.resolve(entry).mode : 'latent'
  return { identity, call, error, mode }
}

function asCallError(thrown: unknown, call: Call, { context }: RunOptions): CallsheetError {
  return asUnreadable(thrown, 'Call', () => copyJson(call), context, 'accepted the Call')
}
