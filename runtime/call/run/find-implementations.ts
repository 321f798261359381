import type { Call } from '../../context/message.ts'
import { CallError } from '../../errors.ts'
import { own } from '../../json/json.ts'
import { handOn } from '../../problems/handed-on.ts'
import { warnOnce } from '../../problems/warn-once.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { CallRun } from '../call-run.ts'
import type { VariantPolicy } from '../controls/variants.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'
import { describeIdleActivities } from './idle-activities.ts'
import { findVariant, type Implementations, latent, requireLatent } from './implementation.ts'
import { applyPolicy } from './variant-policy.ts'

/**
 * Finds what runs a Call, by the rules of ACT-3 and the policy of ACT-5.
 *
 * @throws CallError `no_implementation`, `missing_activity`, `no_output` or `unsafe_strategy`.
 */
export function findImplementations(run: CallRun, entry: ToolEntry, call: Call): Implementations {
  const { state, options } = run
  const resolution = state.activities.resolve(entry)
  if (resolution.mode === 'latent') {
    if (resolution.missing !== undefined) reportMissing(run, entry, resolution.missing)
    requireLatent(run, entry)
    if (resolution.byDefault && entry.facts.delegate === undefined && call._delegate === undefined) {
      reportLatent(run, entry)
    }
    return { implementation: latent }
  }
  const { activity, implemented, file } = resolution
  if (!implemented) {
    const error = notRegisteredHere(entry, activity, file)
    if (!options.elsewhere) throw error
    const fail = (): never => {
      throw handOn(error)
    }
    return { implementation: { mode: 'explicit', activity, variant: 'default', run: fail } }
  }
  if (options.policy || options.onInvalidOutput) checkOptionNames(state, options)
  const policy = options.policy && (own(options.policy, activity) as VariantPolicy | undefined)
  if (policy !== undefined) return applyPolicy(policy, run, entry, activity, call)
  return { implementation: findVariant(run, entry, activity, 'default'), shadow: undefined }
}

/** Options that were already checked: most callers pass the same objects with every Call. */
const checkedOptions = new WeakSet<object>()

/**
 * Warns of misspelt names in the options, once per object. The check is loaded lazily, and the Call does not wait for
 * it.
 */
function checkOptionNames(state: RegistryState, { policy, onInvalidOutput }: RunOptions): void {
  const fresh = [policy, onInvalidOutput].filter(
    (option) => typeof option === 'object' && !checkedOptions.has(option),
  )
  if (fresh.length === 0) return
  for (const option of fresh) checkedOptions.add(option as object)
  const failed = (): void => {} // If the check cannot be loaded, the Call runs all the same.
  import('./misspelt-names.ts').then(
    (names) => names.warnOfMisspeltNames(state, policy, onInvalidOutput),
    failed,
  )
}

/** Emits `activity:missing`, and throws if `missingActivity` is `error`. */

function reportMissing({ state, options, id }: CallRun, entry: ToolEntry, activity: string): void {
  state.events.emit('activity:missing', { id, tool: entry.facts.name, activity })
  if (options.missingActivity !== 'error') return
  throw new CallError(
    'missing_activity',
    `Tool "${entry.facts.name}" names the Activity "${activity}", which is not registered. Register it, or leave \`missingActivity\` at 'latent'.${describeIdleActivities(state, activity, options)}`,
  )
}

/**
 * Emits `activity:latent`, or warns, once per Tool: a forgotten Activity must not go unnoticed because the model
 * answers.
 */
function reportLatent(run: CallRun, { facts: { name } }: ToolEntry): void {
  const { events, reportedLatent } = run.state
  if (reportedLatent.has(name)) return
  reportedLatent.add(name)
  if (events.has('activity:latent')) events.emit('activity:latent', { id: run.id, tool: name })
  else {
    warnOnce(
      'CALLSHEET_LATENT',
      name,
      `Tool "${name}" has no Activity, so the model gives its output. If that is meant, declare _activity: '' in the Tool, or listen to Tool.on('activity:latent'). Otherwise import the file that registers Activity "${name}".${describeIdleActivities(run.state, name)}`,
    )
  }
}

/** Creates the error of an Activity that is not registered in this process. */
function notRegisteredHere(entry: ToolEntry, activity: string, file: string | undefined): CallError {
  const where =
    file === undefined
      ? `elsewhere: Activity "${activity}" is declared, not registered, in this process. Run the Call where it is registered, or reach it by remoteActivities or an executor.`
      : `by Activity "${activity}" in ${file}, which this process has not imported. Import that file first. If it is imported, a bundler left it out, or it registered with another copy of generated/, such as a CommonJS one.`
  return new CallError('no_implementation', `Tool "${entry.facts.name}" is implemented ${where}`)
}
