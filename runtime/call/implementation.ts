import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { own } from '../json/json.ts'
import { warnOnce } from '../problems/warn-once.ts'
import type { AnyActivity } from '../tools/activity.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import type { RegistryState } from './registry-state.ts'
import type { RunOptions } from './run-options.ts'
import type { VariantChoice, VariantPolicy } from './variants.ts'

/** What runs a Call: an Activity, or the model itself. */
export type Implementation =
  | {
      readonly mode: 'explicit'
      readonly activity: string
      readonly variant: string
      readonly run: AnyActivity
    }
  | { readonly mode: 'latent' }

export interface Implementations {
  readonly implementation: Implementation
  /** Runs beside it for comparison; its result does not count (ACT-5). */
  readonly shadow?: Implementation | undefined
}

/** Finds what runs a Call by a policy: loaded where the options have one. */
export type ByPolicy = (
  policy: VariantPolicy,
  state: RegistryState,
  entry: ToolEntry,
  call: Call,
  activity: string,
  id: string,
) => Implementations

const latent: Implementations = { implementation: { mode: 'latent' } }

/**
 * Finds what runs a Call, by ACT-3 and the policy of ACT-5.
 *
 * @throws CallError `no_implementation`, `missing_activity`, `no_output` or `unsafe_strategy`.
 */
export function implementationsOf(
  state: RegistryState,
  entry: ToolEntry,
  call: Call,
  options: RunOptions,
  id: string,
  byPolicy: ByPolicy | undefined,
): Implementations {
  const resolution = state.activities.resolve(entry)
  if (resolution.mode === 'latent') {
    if (resolution.missing !== undefined) reportMissing(state, entry, resolution.missing, options, id)
    requireLatent(entry)
    if (resolution.byDefault && entry.facts.delegate === undefined && call._delegate === undefined) {
      tellLatent(state, entry, id)
    }
    return latent
  }
  const { activity, implemented, file } = resolution
  if (!implemented) throw notHere(entry, activity, file)
  const policy = options.policy && (own(options.policy, activity) as VariantPolicy | undefined)
  if (policy !== undefined && byPolicy) return byPolicy(policy, state, entry, call, activity, id)
  return { implementation: variantOf(state, entry, activity, 'default'), shadow: undefined }
}

/** @throws CallError `no_implementation`, or what keeps the Tool from running latently. */
export function variantOf(
  state: RegistryState,
  entry: ToolEntry,
  activity: string,
  choice: VariantChoice,
): Implementation {
  if (choice === 'latent') {
    requireLatent(entry)
    return latent.implementation
  }
  const run = state.activities.get(activity, choice)
  if (run) return { mode: 'explicit', activity, variant: choice, run }
  const known = state.activities.variants(activity).join(', ')
  throw new CallError(
    'no_implementation',
    `Activity "${activity}" has no variant "${choice}". Registered: ${known}. Set \`policy\` to one of them, or register it with { variant: '${choice}' }.`,
  )
}

/** A model must not imagine a payment (ACT-4), and without `_output` there is nothing to imagine (TOOL-6). */
function requireLatent(entry: ToolEntry): void {
  const { name, effects, activity, hasOutput } = entry.facts
  if (effects === 'write' && activity !== '') {
    throw new CallError(
      'missing_activity',
      `Tool "${name}" is declared effects: 'write' and has no Activity here; it never runs latently. Register one: Activity.register("${activity ?? name}", …).`,
    )
  }
  if (!hasOutput) {
    throw new CallError(
      'no_output',
      `Tool "${name}" declares no _output, so it cannot run latently. Register an Activity, or declare _output.`,
    )
  }
}

function reportMissing(
  state: RegistryState,
  entry: ToolEntry,
  activity: string,
  options: RunOptions,
  id: string,
): void {
  state.events.emit('activity:missing', { id, tool: entry.facts.name, activity })
  if (options.missingActivity !== 'error') return
  throw new CallError(
    'missing_activity',
    `Tool "${entry.facts.name}" names the Activity "${activity}", which is not registered. Register it, or leave \`missingActivity\` at 'latent'.`,
  )
}

/** Says once of a Tool that its outputs are a model's words: what was forgotten must not look like what works. */
function tellLatent({ events, toldLatent }: RegistryState, { facts: { name } }: ToolEntry, id: string): void {
  if (toldLatent.has(name)) return
  toldLatent.add(name)
  if (events.has('activity:latent')) events.emit('activity:latent', { id, tool: name })
  else {
    warnOnce(
      'CALLSHEET_LATENT',
      name,
      `Tool "${name}" has no Activity, so the model gives its output. If that is meant, declare _activity: '' in the Tool, or listen to Tool.on('activity:latent'). Otherwise import the file that registers Activity "${name}".`,
    )
  }
}

function notHere(entry: ToolEntry, activity: string, file: string | undefined): CallError {
  if (file !== undefined) {
    return new CallError(
      'no_implementation',
      `Tool "${entry.facts.name}" is implemented by Activity "${activity}" in ${file}, which this process has not imported. Import that file before the Call runs.`,
    )
  }
  return new CallError(
    'no_implementation',
    `Tool "${entry.facts.name}" is implemented elsewhere: Activity "${activity}" is declared, not registered, in this process. Run the Call where it is registered, or give an executor that reaches it.`,
  )
}
