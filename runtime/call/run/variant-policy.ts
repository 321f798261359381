import type { Call } from '../../context/message.ts'
import { CallError } from '../../errors.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import { isRepeatable } from '../../schema/effects.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { asError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { chooseVariant, type Variant, type VariantPolicy } from '../controls/variants.ts'
import { findVariant, type Implementation, type Implementations } from './implementation.ts'

/**
 * Applies a policy: finds what runs a Call, and what runs in parallel for comparison (ACT-5).
 *
 * @throws CallError `no_implementation`, `no_output` or `unsafe_strategy`; `invalid_options` if the policy does not
 * return the name of a variant; ActivityError `activity_failed` if it throws.
 */
export function applyPolicy(
  policy: VariantPolicy,
  run: CallRun,
  entry: ToolEntry,
  activity: string,
  call: Call,
): Implementations {
  const { choice, shadow } = chooseByPolicy(policy, run, activity, call)
  const implementation = findVariant(run, entry, activity, choice)
  if (shadow === undefined) return { implementation }
  const other = findVariant(run, entry, activity, shadow, true)
  requireComparable(entry, call, implementation, other)
  return { implementation, shadow: other }
}

/** Evaluates the policy, and reports what its function throws as the policy's error. */
function chooseByPolicy(
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

/** Refuses to run a Call twice if that could repeat an effect. */
function requireComparable(
  { facts }: ToolEntry,
  call: Call,
  primary: Implementation,
  shadow: Implementation,
): void {
  const { name, effects, delegate = call._delegate } = facts
  // A model that only answers has no effects; a delegate may call Tools.
  const oneOnlyAnswers = !delegate && (primary.mode === 'latent' || shadow.mode === 'latent')
  if (isRepeatable(effects) || oneOnlyAnswers) return
  throw new CallError(
    'unsafe_strategy',
    `Tool "${name}" is not declared effects: 'read' or 'idempotent'; comparing two ways to run it would do its work twice.`,
  )
}
