import type { Message } from '../../context/message.ts'
import {
  outputPathOf,
  takenBranch,
  writeAlternative,
  writeFailure,
  writeOutput,
} from '../../context/output-path.ts'
import { isJsonObject } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { Outcome } from '../outcome.ts'

/**
 * Returns an Outcome that a hook changed, with Messages that write what it says now (CALL-10): a hook that masks an
 * output masks it in the context as well, and a Call that it rescues writes its `_outputPath`. A Message of the Activity
 * that it replaces is written in its changed form. `appended` that the hook changed itself is kept.
 *
 * @param before The Outcome before the hook.
 * @param inGroup A failed Call of a group writes nothing (CALL-5).
 * @throws CallError `invalid_path` if a Call that was refused for its `_outputPath` is to succeed.
 */
export function withOwnWrites(before: Outcome, after: Outcome, inGroup: boolean): Outcome {
  if (!isSameJson(after.appended, before.appended)) return after
  const { message } = after
  if (message && !isSameJson(message, before.message)) {
    return { ...after, appended: messageWrites(before, message) }
  }
  if (hasSameResult(before, after)) return after
  if (after.status !== 'succeeded') return { ...after, appended: failureWrites(before, after, inGroup) }
  const appended = outputWrites(before, after)
  const [first] = appended
  return before.message && first ? { ...after, message: first, appended } : { ...after, appended }
}

function hasSameResult(before: Outcome, after: Outcome): boolean {
  if (before.status !== after.status) return false
  return after.status === 'succeeded' ? isSameJson(before.output, after.output) : before.error === after.error
}

/** Returns the Messages that a Call writes if a hook replaced the one that its Activity returned. */
function messageWrites({ call, appended }: Outcome, message: Message): readonly Message[] {
  const path = appended.length > 1 ? outputPathOf(call) : undefined
  const taken = path && takenBranch(path, message)
  return path && taken ? writeAlternative(call, path, taken.alternative, taken.value, now()) : [message]
}

function outputWrites(before: Outcome, { output }: Outcome): readonly Message[] {
  const { call, message, appended } = before
  const path = isJsonObject(call) ? outputPathOf(call) : undefined
  if (path) return writeOutput(call, path, output, now())
  // Without a path, only a Message that the Activity returned is appended. Its data can be the output (ACT-7).
  return message?.type === 'data' && 'output' in before ? [{ ...message, data: output ?? null }] : appended
}

/** Returns what a failure writes: nothing, unless the Call was attempted and its path has alternatives (OUT-6). */
function failureWrites(
  { call, attempts }: Outcome,
  { status, error }: Outcome,
  inGroup: boolean,
): readonly Message[] {
  if (inGroup || attempts === 0 || status !== 'failed') return []
  const path = outputPathOf(call)
  return path ? writeFailure(call, path, error, now()) : []
}

/** ISO 8601. */
function now(): string {
  return new Date().toISOString()
}
