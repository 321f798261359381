import type { Call } from '../../context/message.ts'
import { ActivityError, CallError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { briefly } from '../../problems/problem.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { asError } from '../call-errors.ts'
import type { Confirmation, ConfirmInfo } from '../confirm.ts'
import type { RunOptions } from '../run-options.ts'

/**
 * Asks whether a Call may run (REQ-9).
 *
 * @returns What to run in its place; undefined where it is approved.
 * @throws ActivityError `refused`, or what the hook threw; CallError `invalid_options` for an answer that means nothing.
 */
export async function askToConfirm(
  { implementation, entry, resolved, context }: PreparedCall,
  id: string,
  confirm: NonNullable<RunOptions['confirm']>,
): Promise<{ readonly replace: Call } | undefined> {
  const { name, effects } = entry.facts
  const { ask, only } =
    typeof confirm === 'function'
      ? { ask: confirm, only: undefined }
      : { ask: confirm.ask, only: confirm.effects }
  // As an agent's rules have it: who does not say what a Tool does is asked for it as for a write.
  if (only && !only.includes(effects ?? 'write')) return undefined
  const info: ConfirmInfo = {
    id,
    tool: entry.schema,
    mode: implementation.mode,
    context: copyJson(context),
    ...(implementation.mode === 'explicit' && { activity: implementation.activity }),
  }
  // Copies, since what has been checked must be what runs.
  const answer = await answerOf(ask, copyJson(resolved), info)
  if (answer === true) return undefined
  if (isApproval(answer)) return answer
  if (answer !== false && !(isJsonObject(answer) && 'refuse' in answer)) throw meaningless(answer)
  throw new ActivityError('refused', `The Call of "${name}" was refused${reasonOf(answer)}.`)
}

/** Whether an answer, of whatever kind, lets a Call run: this one, or the one that it puts in its place. */
export function isApproval(answer: unknown): answer is true | { readonly replace: Call } {
  return answer === true || (isJsonObject(answer) && isJsonObject(answer.replace) && !('refuse' in answer))
}

/** The reason that was given; none where it is no text, or cannot be read: a refusal stays one. */
function reasonOf(answer: false | { readonly refuse: string }): string {
  try {
    const refuse: unknown = answer === false ? undefined : answer.refuse
    return typeof refuse === 'string' ? `: ${refuse}` : ''
  } catch {
    // A getter threw in place of a reason.
    return ''
  }
}

async function answerOf(
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

function meaningless(answer: unknown): CallError {
  return new CallError(
    'invalid_options',
    `The hook \`confirm\` answered ${briefly(answer)}, so the Call was not run. Expected true, false, { refuse: 'why' } or { replace: call }; in an agent also 'pending'.`,
  )
}
