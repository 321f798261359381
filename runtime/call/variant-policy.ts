import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { asError } from './as-error.ts'
import { type ByPolicy, type Implementation, variantOf } from './implementation.ts'
import { chooseVariant, type Variant, type VariantPolicy } from './variants.ts'

/**
 * Finds what runs a Call by a policy, and what runs beside it for comparison (ACT-5).
 *
 * @throws CallError `no_implementation`, `no_output` or `unsafe_strategy`; what the policy throws as `activity_failed`.
 */
export const implementationsBy: ByPolicy = (policy, state, entry, call, activity, id) => {
  const { choice, shadow } = chosenBy(policy, call, activity, id)
  const implementation = variantOf(state, entry, activity, choice)
  if (shadow === undefined) return { implementation }
  const other = variantOf(state, entry, activity, shadow)
  requireComparable(entry, implementation, other)
  return { implementation, shadow: other }
}

/** Asks the policy; what a predicate throws is not the Call's fault. */
function chosenBy(policy: VariantPolicy, call: Call, activity: string, id: string): Variant {
  try {
    return chooseVariant(policy, call, { activity, id })
  } catch (thrown) {
    throw asError(thrown, `The policy of Activity "${activity}" threw`)
  }
}

function requireComparable(entry: ToolEntry, primary: Implementation, shadow: Implementation): void {
  const { name, effects } = entry.facts
  const oneIsLatent = primary.mode === 'latent' || shadow.mode === 'latent'
  if (effects === 'read' || effects === 'idempotent' || oneIsLatent) return
  throw new CallError(
    'unsafe_strategy',
    `Tool "${name}" is not declared effects: 'read' or 'idempotent'; comparing two of its Activities would do its work twice.`,
  )
}
