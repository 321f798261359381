import type { AgentOptions } from '../agent/loop/agent-options.ts'
import { agentOptionRules } from '../agent/run/agent-option-rules.ts'
import { CallsheetError } from '../errors.ts'
import { type FieldRule, isFunction, isMap, omitRules } from '../problems/field-rule.ts'
import { requireOptionsOf } from '../problems/option-problems.ts'

/** Agent options that engines set themselves. */
export type DecidedByEngine =
  | 'tools'
  | 'executor'
  | 'runId'
  | 'resume'
  | 'decisions'
  | 'claim'
  | 'early'
  | 'signal'

/** The rules for the options of an agent on an engine. */
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

/** Accepts agents by name. */
export const agentsByName: FieldRule = [
  (value) => isMap(value) && Object.values(value).every(isFunction),
  'functions that give the options of agents, by name',
]

/**
 * Calls the function that returns an agent's options for one run, and validates them.
 *
 * @param rules The rules for this engine.
 * @throws CallsheetError `invalid_options` for unknown options: a misspelt `confirm` would approve everything.
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
      `The agent "${name}" returned a promise; expected its options themselves, since a replay must return the same ones. Await what they need before the run is started, and pass it as the input.`,
    )
  }
  requireOptionsOf(`the agent "${name}"`, options, rules as typeof agentOptionRules, ['model'])
  // The one cast: the rules have validated it.
  return options as Given
}
