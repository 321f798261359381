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
import { tellIdleActivities } from './idle-activities.ts'
import { type Implementations, latent, requireLatent, variantOf } from './implementation.ts'
import { implementationsBy } from './variant-policy.ts'

/**
 * Finds what runs a Call, by ACT-3 and the policy of ACT-5.
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
      tellLatent(run, entry)
    }
    return { implementation: latent }
  }
  const { activity, implemented, file } = resolution
  if (!implemented) {
    const error = notHere(entry, activity, file)
    if (!options.elsewhere) throw error
    const handOver = (): never => {
      throw handOn(error)
    }
    return { implementation: { mode: 'explicit', activity, variant: 'default', run: handOver } }
  }
  if (options.policy || options.onInvalidOutput) tellMisspelt(state, options)
  const policy = options.policy && (own(options.policy, activity) as VariantPolicy | undefined)
  if (policy !== undefined) return implementationsBy(policy, run, entry, activity, call)
  return { implementation: variantOf(run, entry, activity, 'default'), shadow: undefined }
}

/** What has been looked at: most give the same objects for every Call. */
const looked = new WeakSet<object>()

/** Only who names something wrongly needs what says so. */
function tellMisspelt(state: RegistryState, { policy, onInvalidOutput }: RunOptions): void {
  const fresh = [policy, onInvalidOutput].filter((given) => typeof given === 'object' && !looked.has(given))
  if (fresh.length === 0) return
  for (const given of fresh) looked.add(given as object)
  const failed = (): void => {} // A warning that cannot be loaded keeps no Call from running.
  import('./misspelt-names.ts').then((names) => names.tellMisspelt(state, policy, onInvalidOutput), failed)
}

function reportMissing({ state, options, id }: CallRun, entry: ToolEntry, activity: string): void {
  state.events.emit('activity:missing', { id, tool: entry.facts.name, activity })
  if (options.missingActivity !== 'error') return
  throw new CallError(
    'missing_activity',
    `Tool "${entry.facts.name}" names the Activity "${activity}", which is not registered. Register it, or leave \`missingActivity\` at 'latent'.${tellIdleActivities(state, activity, options)}`,
  )
}

/** Says once of a Tool that its outputs are a model's words: what was forgotten must not look like what works. */
function tellLatent(run: CallRun, { facts: { name } }: ToolEntry): void {
  const { events, toldLatent } = run.state
  if (toldLatent.has(name)) return
  toldLatent.add(name)
  if (events.has('activity:latent')) events.emit('activity:latent', { id: run.id, tool: name })
  else {
    warnOnce(
      'CALLSHEET_LATENT',
      name,
      `Tool "${name}" has no Activity, so the model gives its output. If that is meant, declare _activity: '' in the Tool, or listen to Tool.on('activity:latent'). Otherwise import the file that registers Activity "${name}".${tellIdleActivities(run.state, name)}`,
    )
  }
}

function notHere(entry: ToolEntry, activity: string, file: string | undefined): CallError {
  const where =
    file === undefined
      ? `elsewhere: Activity "${activity}" is declared, not registered, in this process. Run the Call where it is registered, or give an executor that reaches it.`
      : `by Activity "${activity}" in ${file}, which this process has not imported. Import that file before the Call runs. If it is imported, it has registered with another copy of generated/, such as a CommonJS one beside an ES module.`
  return new CallError('no_implementation', `Tool "${entry.facts.name}" is implemented ${where}`)
}
