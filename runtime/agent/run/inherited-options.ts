import type { AgentOptions, DelegateOptions } from '../loop/agent-options.ts'

/** What the runs inside of a run take over from it: which model is asked and how, and how Calls are run. */
const inherited: readonly (keyof AgentOptions)[] = [
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
  'only',
  'without',
  // Calls.
  'claim',
  'concurrency',
  'confirm',
  'contract',
  'early',
  'redact',
  'run',
]

/** Options of a run inside of another one; what is its own is added. */
export type InheritedOptions = DelegateOptions & Partial<AgentOptions>

/** Picks what a delegate inherits. A new option is the outer run's alone until it is listed. */
export function inheritedOptions(options: InheritedOptions): InheritedOptions {
  const members = inherited.flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, value]]
  })
  // Its `model` is among them, since that is required.
  return Object.fromEntries(members) as InheritedOptions
}
