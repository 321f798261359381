import { CallError } from '../../errors.ts'
import type { RegisteredActivity } from '../../tools/activity-registry.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { CallRun } from '../call-run.ts'
import type { VariantChoice } from '../controls/variants.ts'
import { describeIdleActivities } from './idle-activities.ts'

/** What runs a Call: an Activity, or the model itself. */
export type Implementation = ActivityOfCall | { readonly mode: 'latent' }

/** The Activity that runs a Call. */
export interface ActivityOfCall extends RegisteredActivity {
  /** Makes a registered Activity run as this one does, such as in the clean context of a delegate. */
  readonly inside?: (registered: RegisteredActivity) => ActivityOfCall
}

export interface Implementations {
  readonly implementation: Implementation
  /** Runs in parallel for comparison; its result is not used (ACT-5). */
  readonly shadow?: Implementation | undefined
}

/** The model as an implementation. */
export const latent: Implementation = { mode: 'latent' }

/**
 * Finds the variant of an Activity that a policy chose.
 *
 * @param isShadow True if it runs for comparison only.
 * @throws CallError `no_implementation`; for `latent` `no_output`, or `unsafe_strategy` for a Tool that writes.
 */
export function findVariant(
  run: CallRun,
  entry: ToolEntry,
  activity: string,
  choice: VariantChoice,
  isShadow: boolean = false,
): Implementation {
  if (choice === 'latent') {
    // A shadow is only compared: nobody takes its answer for work that was done.
    if (!isShadow) requireNoWrite(entry, activity)
    requireOutput(run, entry)
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

/**
 * Requires that a model may answer for the Tool: not for one that writes, such as a payment (ACT-4), and not without an
 * `_output` to answer with (TOOL-6).
 *
 * @throws CallError `missing_activity` or `no_output`.
 */
export function requireLatent(run: CallRun, entry: ToolEntry): void {
  const { name, effects, activity, delegate } = entry.facts
  // The Tool of an Idea runs as its delegate, whose Calls do the writing (REQ-11).
  const isIdea = delegate === name && run.state.ideas.has(name)
  if (effects === 'write' && activity !== '' && !isIdea) {
    throw new CallError(
      'missing_activity',
      `Tool "${name}" is declared effects: 'write', so it cannot run latently. Register an Activity: Activity.register("${activity ?? name}", …).${describeIdleActivities(run.state, activity ?? name, run.options)}`,
    )
  }
  requireOutput(run, entry)
}

/** Refuses a policy by which a model's answer would count as what a Tool that writes has done (ACT-4). */
function requireNoWrite({ facts: { name, effects } }: ToolEntry, activity: string): void {
  if (effects !== 'write') return
  throw new CallError(
    'unsafe_strategy',
    `The policy of Activity "${activity}" chose latent, but Tool "${name}" is declared effects: 'write', and a model cannot do that work. Choose a variant, or compare with latent as the second.`,
  )
}

function requireOutput({ state, options }: CallRun, { facts }: ToolEntry): void {
  const { name, activity, hasOutput } = facts
  if (hasOutput) return
  throw new CallError(
    'no_output',
    `Tool "${name}" declares no _output, so it cannot run latently. Register an Activity, or declare _output.${describeIdleActivities(state, activity || name, options)}`,
  )
}
