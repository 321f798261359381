import { isSelected, type SubsetOptions } from '../../compose/select-tools.ts'
import type { AgentOptions, DelegateOptions } from '../loop/agent-options.ts'

type OptionNames = readonly (keyof AgentOptions)[]

/** Options about Calls that every nested run inherits, whichever model it uses. */
const ofCalls: OptionNames = ['claim', 'concurrency', 'confirm', 'contract', 'early', 'redact', 'run']

/** Options that nested runs inherit: about the model, and about Calls. */
const inherited: OptionNames = [
  // Connection.
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
  'onSent',
  'outputPosition',
  'references',
  'responseFormat',
  'retry',
  'silence',
  'stream',
  'strict',
  'timeout',
  // Tools and delegates.
  'ideas',
  'latent',
  'maxDepth',
  ...ofCalls,
]

/** The inherited options of a nested run; its own are added. */
export type InheritedOptions = DelegateOptions & Partial<AgentOptions>

/** Picks the options that a delegate inherits. A new option is not inherited until it is listed. */
export function inheritedOptions(options: InheritedOptions): InheritedOptions {
  // `model`, which is required, is among them.
  return { ...pick(options, inherited), ...subsetOf(options) } as InheritedOptions
}

/** Picks the options for Calls of a different model, which may exclude more Tools than the run does. */
export function callOptions(options: AgentOptions, own: SubsetOptions): Partial<AgentOptions> {
  return { ...pick(options, ofCalls), ...subsetOf(options, own) }
}

function pick(options: Partial<AgentOptions>, names: OptionNames): Partial<AgentOptions> {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
}

/** Converts selections to functions: a delegate has its own Tools, and need not have all those that the run names. */
function subsetOf(...subsets: readonly SubsetOptions[]): SubsetOptions {
  return {
    only: (tool) => subsets.every(({ only }) => !only || isSelected('only', only, tool)),
    without: (tool) => subsets.some(({ without }) => without && isSelected('without', without, tool)),
  }
}
