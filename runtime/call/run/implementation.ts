import { CallError } from '../../errors.ts'
import type { RegisteredActivity } from '../../tools/activity-registry.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { CallRun } from '../call-run.ts'
import type { VariantChoice } from '../controls/variants.ts'
import { tellIdleActivities } from './idle-activities.ts'

/** What runs a Call: an Activity, or the model itself. */
export type Implementation = RegisteredActivity | { readonly mode: 'latent' }

export interface Implementations {
  readonly implementation: Implementation
  /** Runs beside it for comparison; its result does not count (ACT-5). */
  readonly shadow?: Implementation | undefined
}

/** By the model itself. */
export const latent: Implementation = { mode: 'latent' }

/** @throws CallError `no_implementation`, or what keeps the Tool from running latently. */
export function variantOf(
  run: CallRun,
  entry: ToolEntry,
  activity: string,
  choice: VariantChoice,
): Implementation {
  if (choice === 'latent') {
    requireLatent(run, entry)
    return latent
  }
  const { activities } = run.state
  const registered = activities.registered(activity, choice)
  if (registered) return registered
  const known = activities.variants(activity).join(', ')
  throw new CallError(
    'no_implementation',
    `Activity "${activity}" has no variant "${choice}". Registered: ${known}. Set \`policy\` to one of them, or register it with { variant: '${choice}' }.`,
  )
}

/** A model must not imagine a payment (ACT-4), and without `_output` there is nothing to imagine (TOOL-6). */
export function requireLatent({ state, options }: CallRun, entry: ToolEntry): void {
  const { name, effects, activity, hasOutput } = entry.facts
  if (effects === 'write' && activity !== '') {
    throw new CallError(
      'missing_activity',
      `Tool "${name}" is declared effects: 'write' and has no Activity here; it never runs latently. Register one: Activity.register("${activity ?? name}", …).${tellIdleActivities(state, activity ?? name, options)}`,
    )
  }
  if (!hasOutput) {
    throw new CallError(
      'no_output',
      `Tool "${name}" declares no _output, so it cannot run latently. Register an Activity, or declare _output.${tellIdleActivities(state, activity || name, options)}`,
    )
  }
}
