import type { Call } from '../../context/message.ts'
import { ActivityError, CallError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { briefly } from '../../problems/problem.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import type { Confirmation, ConfirmInfo } from '../confirm.ts'
import type { RunOptions } from '../run-options.ts'
import { keepShownTexts, requireReplaceable, schemaOf } from './replacement.ts'

/**
 * Runs the hook `confirm` (REQ-9).
 *
 * @returns The Call to run instead; undefined if the Call is approved.
 * @throws ActivityError `refused`, or `activity_failed` if the hook throws; CallError `invalid_options` for any other
 * answer.
 */
export async function askToConfirm(
  { implementation, entry, resolved, context }: PreparedCall,
  run: CallRun,
  confirm: NonNullable<RunOptions['confirm']>,
): Promise<{ readonly replace: Call } | undefined> {
  const { name, effects } = entry.facts
  const { ask, only } =
    typeof confirm === 'function'
      ? { ask: confirm, only: undefined }
      : { ask: confirm.ask, only: confirm.effects }
  // As in an agent's rules, a Tool without declared effects counts as one that writes.
  if (only && !only.includes(effects ?? 'write')) return undefined
  const info: ConfirmInfo = {
    id: run.id,
    tool: entry.schema,
    mode: implementation.mode,
    context: copyJson(context),
    ...(implementation.mode === 'explicit' && { activity: implementation.activity }),
  }
  // Copies, so that the hook cannot change the Call that was checked.
  const answer = await callHook(ask, copyJson(resolved), info)
  if (answer === true) return undefined
  if (isApproval(answer)) {
    const { replace } = answer
    requireReplaceable(run, 'confirm', resolved, replace)
    return { replace: keepShownTexts(replace, resolved, schemaOf(run, replace), run.options.references) }
  }
  if (answer !== false && !(isJsonObject(answer) && 'refuse' in answer)) throw invalidAnswer(answer)
  throw new ActivityError('refused', `The Call of "${name}" was refused${reasonOf(answer)}.`)
}

/** Returns true if an answer lets a Call run: the one that was asked about, or a replacement. */
export function isApproval(answer: unknown): answer is true | { readonly replace: Call } {
  return answer === true || (isJsonObject(answer) && isJsonObject(answer.replace) && !('refuse' in answer))
}

/** Returns the reason of a refusal; `''` if it is empty, not a string or cannot be read: the Call is refused all the same. */
function reasonOf(answer: false | { readonly refuse: string }): string {
  try {
    const refuse: unknown = answer === false ? undefined : answer.refuse
    return typeof refuse === 'string' && refuse ? `: ${refuse}` : ''
  } catch {
    // The reason is a getter that throws.
    return ''
  }
}

async function callHook(
  ask: (call: Call, info: ConfirmInfo) => Confirmation | Promise<Confirmation>,
  call: Call,
  info: ConfirmInfo,
): Promise<Confirmation> {
  try {
    return await ask(call, info)
  } catch (thrown) {
    throw asError(thrown, 'The hook `confirm` threw')
  }
}

function invalidAnswer(answer: unknown): CallError {
  return new CallError(
    'invalid_options',
    `The hook \`confirm\` answered ${briefly(answer)}, so the Call was not run. Expected true, false, { refuse: 'why' } or { replace: call }; in an agent also 'pending'.`,
  )
}
