import type { Call } from '../../context/message.ts'
import { CallError } from '../../errors.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import { isRepeatable } from '../../schema/effects.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { chooseVariant, type Variant, type VariantPolicy } from '../controls/variants.ts'
import { type Implementation, type Implementations, variantOf } from './implementation.ts'

/**
 * Finds what runs a Call by a policy, and what runs beside it for comparison (ACT-5).
 *
 * @throws CallError `no_implementation`, `no_output` or `unsafe_strategy`; `invalid_options` for a policy that names
 * none; what the policy throws as `activity_failed`.
 */
export function implementationsBy(
  policy: VariantPolicy,
  run: CallRun,
  entry: ToolEntry,
  activity: string,
  call: Call,
): Implementations {
  const { choice, shadow } = chosenBy(policy, run, activity, call)
  const implementation = variantOf(run, entry, activity, choice)
  if (shadow === undefined) return { implementation }
  const other = variantOf(run, entry, activity, shadow)
  requireComparable(entry, call, implementation, other)
  return { implementation, shadow: other }
}

/** Asks the policy; what a predicate throws is not the Call's fault. */
function chosenBy(
  policy: VariantPolicy,
  { id, options: { variantKey = id } }: CallRun,
  activity: string,
  call: Call,
): Variant {
  let chosen: Variant
  try {
    chosen = chooseVariant(policy, call, { activity, id, key: variantKey })
  } catch (thrown) {
    throw asError(thrown, `The policy of Activity "${activity}" threw`)
  }
  if (typeof chosen.choice === 'string') return chosen
  throw wrongAnswer(`The policy of Activity "${activity}"`, 'the name of a variant, at once', chosen.choice)
}

function requireComparable(
  { facts }: ToolEntry,
  call: Call,
  primary: Implementation,
  shadow: Implementation,
): void {
  const { name, effects, delegate = call._delegate } = facts
  // A model that gives an output does nothing; a delegate may have Tools.
  const oneOnlyAnswers = !delegate && (primary.mode === 'latent' || shadow.mode === 'latent')
  if (isRepeatable(effects) || oneOnlyAnswers) return
  throw new CallError(
    'unsafe_strategy',
    `Tool "${name}" is not declared effects: 'read' or 'idempotent'; comparing two ways to run it would do its work twice.`,
  )
}
