import type { Call } from '../../context/message.ts'
import type { CallsheetError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { isJson } from '../../json/not-json.ts'
import { lazily } from '../../lazily.ts'
import type { nearest } from '../../problems/nearest.ts'
import type { Checks } from '../../schema/validator.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import type { CallGroup } from '../groups/call-group.ts'
import { toolNameOf } from '../run/make-outcome.ts'
import { asUnreadableError } from '../unreadable.ts'
import type { AcceptedCall } from './accepted-call.ts'
import { type CopiedCall, copyCall } from './copy-call.ts'
import { findTool } from './find-tool.ts'
import { prepareCall } from './prepare-call.ts'
import { snapshotCall } from './snapshot-call.ts'

/** Loaded lazily: most Calls have no hook. */
const hooking = lazily(() => import('./before-hook.ts'))

/**
 * Accepts a Call: from here on it ends in exactly one Outcome (CALL-8). Never throws or rejects. The Call is copied
 * before this returns, so that the caller can no longer change it. Synchronous if the Tool's checks are loaded and
 * there is no hook `before`, since a promise costs as much as a check.
 *
 * @param group The group that the Call is part of; its cancellation ends the wait for the hook `before`.
 */
export function acceptCall(
  run: CallRun,
  given: Call,
  group?: CallGroup,
): AcceptedCall | Promise<AcceptedCall> {
  const { events } = run.state
  // A copy, so that a listener may remove what must not be logged without changing the Call that runs.
  if (events.has('call:start')) events.emit('call:start', { id: run.id, call: snapshotCall(given) })
  if (!run.options.before) return acceptSilently(run, given, group?.guess)
  return acceptAfterHook(run, snapshotCall(given), group)
}

/** Runs the hook `before`, then accepts the Call. */
async function acceptAfterHook(
  run: CallRun,
  given: Call,
  group: CallGroup | undefined,
): Promise<AcceptedCall> {
  try {
    const { runBeforeHook } = await hooking()
    const accept = (call: Call) => acceptSilently(run, call, group?.guess)
    return await runBeforeHook(run, given, group?.cancellation, accept)
  } catch (thrown) {
    return acceptWithError(run, given, asCallError(run, given, thrown))
  }
}

/**
 * Accepts a Call, or one that replaces an accepted Call: does not emit `call:start` and does not run the hook `before`.
 */
export function acceptSilently(
  run: CallRun,
  given: Call,
  guess?: typeof nearest,
): AcceptedCall | Promise<AcceptedCall> {
  try {
    const entry = findTool(run, given, guess)
    const copy = copyCall(entry.facts, given, run.isRecorded)
    return entry.checks ? acceptWith(run, entry, entry.checks, copy) : acceptLoaded(run, entry, copy)
  } catch (thrown) {
    return acceptWithError(run, given, asCallError(run, given, thrown))
  }
}

/** Loads the checks of the Tool, then prepares the Call: the path of a Tool's first Call. */
async function acceptLoaded(run: CallRun, entry: ToolEntry, copy: CopiedCall): Promise<AcceptedCall> {
  let checks: Checks
  try {
    checks = await entry.loadChecks()
  } catch (thrown) {
    const error = asError(thrown, `The checks of Tool "${entry.facts.name}" could not be loaded`)
    return acceptWithError(run, copy.record, error)
  }
  return acceptWith(run, entry, checks, copy)
}

/** Prepares a copied Call with its Tool's checks. */
function acceptWith(run: CallRun, entry: ToolEntry, checks: Checks, copy: CopiedCall): AcceptedCall {
  try {
    return { run, call: copy.record, prepared: prepareCall(run, entry, checks, copy) }
  } catch (thrown) {
    return acceptWithError(run, copy.record, asCallError(run, copy.record, thrown))
  }
}

function acceptWithError(run: CallRun, call: Call, error: CallsheetError): AcceptedCall {
  const { tools, activities } = run.state
  const name = toolNameOf(call)
  const entry = tools.get(name)
  // The mode would reveal that a Tool exists to a client that must not know of it (SERVE-6).
  const mode = entry && error.code !== 'unknown_tool' ? activities.resolve(entry).mode : 'latent'
  return { run, call: asRecord(call, name), error, mode }
}

/** Returns JSON: Outcomes are logged, stored and sent, and a hook can put anything into a Call. Its error says what that was. */
function asRecord(call: Call, _tool: string): Call {
  try {
    if (isJson(call)) return call
  } catch {
    // A getter threw.
  }
  return { _tool }
}

function asCallError({ options }: CallRun, call: Call, thrown: unknown): CallsheetError {
  return asUnreadableError(thrown, 'Call', () => copyJson(call), options.context, 'accepted the Call')
}
