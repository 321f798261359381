import type { AgentOptions } from '../agent/loop/agent-options.ts'
import { agentOptionRules } from '../agent/run/agent-option-rules.ts'
import { CallsheetError } from '../errors.ts'
import { type FieldRule, isFunction, isMap, omitRules } from '../problems/field-rule.ts'
import { requireOptionsOf } from '../problems/option-problems.ts'

/** Options of an agent that every engine decides itself. */
export type DecidedByEngine =
  | 'tools'
  | 'executor'
  | 'runId'
  | 'resume'
  | 'decisions'
  | 'claim'
  | 'early'
  | 'signal'

/** What the options of an agent on an engine must be. */
export const durableAgentRules: Omit<typeof agentOptionRules, DecidedByEngine> = omitRules(
  agentOptionRules,
  'tools',
  'executor',
  'runId',
  'resume',
  'decisions',
  'claim',
  'early',
  'signal',
)

/** The rule of agents by name, as a worker of an engine takes them. */
export const agentsByName: FieldRule = [
  (value) => isMap(value) && Object.values(value).every(isFunction),
  'functions that give the options of agents, by name',
]

/**
 * Asks for the options of an agent, for one run of it.
 *
 * @param rules What they must be, on this engine.
 * @throws CallsheetError `invalid_options` for any others: a misspelt `confirm` would ask nobody.
 */
export function optionsOfAgent<Given extends Partial<AgentOptions>>(
  name: string,
  agent: (input: unknown) => Given,
  input: unknown,
  rules: object,
): Given {
  const options: unknown = agent(input)
  if (isFunction((options as { then?: unknown } | undefined)?.then)) {
    throw new CallsheetError(
      'invalid_options',
      `The agent "${name}" gives a promise of its options; expected the options, since a replay has to come to the same. Wait for what they need before the run is started, and pass it as its input.`,
    )
  }
  requireOptionsOf(`the agent "${name}"`, options, rules as typeof agentOptionRules, ['model'])
  // The one cast: the rules have seen that it is what the type says.
  return options as Given
}
