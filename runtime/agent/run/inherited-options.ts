import { isSelected, type SubsetOptions } from '../../compose/select-tools.ts'
import type { AgentOptions, DelegateOptions } from '../loop/agent-options.ts'

type OptionNames = readonly (keyof AgentOptions)[]

/** How Calls are run, and which may be: what holds for every run inside of one, whatever model it asks. */
const ofCalls: OptionNames = ['claim', 'concurrency', 'confirm', 'contract', 'early', 'redact', 'run']

/** What the runs inside of a run take over from it: which model is asked and how, and how Calls are run. */
const inherited: OptionNames = [
  // The connection.
  'provider',
  'client',
  'apiKey',
  'baseURL',
  'model',
  'api',
  // Requests.
  'attemptTimeout',
  'body',
  'dialect',
  'explain',
  'explicitOutput',
  'instructions',
  'maxAnswer',
  'mode',
  'outputPosition',
  'references',
  'retry',
  'silence',
  'stream',
  'timeout',
  // Tools and delegates.
  'ideas',
  'latent',
  'maxDepth',
  ...ofCalls,
]

/** Options of a run inside of another one; what is its own is added. */
export type InheritedOptions = DelegateOptions & Partial<AgentOptions>

/** Picks what a delegate inherits. A new option is the outer run's alone until it is listed. */
export function inheritedOptions(options: InheritedOptions): InheritedOptions {
  // Its `model` is among them, since that is required.
  return { ...picked(options, inherited), ...subsetOf(options) } as InheritedOptions
}

/** Picks what holds for Calls of another model than the run's, which may leave out more Tools than the run does. */
export function callOptions(options: AgentOptions, own: SubsetOptions): Partial<AgentOptions> {
  return { ...picked(options, ofCalls), ...subsetOf(options, own) }
}

function picked(options: Partial<AgentOptions>, names: OptionNames): Partial<AgentOptions> {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
}

/** As functions: a delegate has Tools of its own, and need not have each that the run names. */
function subsetOf(...subsets: readonly SubsetOptions[]): SubsetOptions {
  return {
    only: (tool) => subsets.every(({ only }) => !only || isSelected('only', only, tool)),
    without: (tool) => subsets.some(({ without }) => without && isSelected('without', without, tool)),
  }
}
