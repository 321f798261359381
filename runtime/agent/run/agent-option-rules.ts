import { effectsRule, runOptionRules } from '../../call/controls/require-options.ts'
import { isJsonObject } from '../../json/json.ts'
import {
  aFunction,
  aNumber,
  type FieldRule,
  fromZero,
  isFunction,
  isString,
  isWholeFromZero,
  omitRules,
  oneOf,
  someText,
  withMethods,
} from '../../problems/field-rule.ts'
import { holds, type OptionRules, requireOptionsOf, wrongOptions } from '../../problems/option-problems.ts'
import { problem } from '../../problems/problem.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { ConfirmRules } from '../approvals/confirm-options.ts'
import type { IdeaSources } from '../ideas/idea-folder.ts'
import type { AgentOptions, DelegateOptions, EveryCallOptions } from '../loop/agent-options.ts'
import type { AgentLimits } from '../loop/meter.ts'
import { exchangesRule } from '../request/exchange.ts'
import { goalRules, modelOptionRules } from '../request/request-options.ts'

/** Accepts a registry's `Tool`. */
export const registryTool: FieldRule = withMethods(
  'the Tool of a registry, such as `generated/` exports',
  'run',
  'composable',
  'get',
)

/** The rules for the limits of a run. */
export const limitRules: OptionRules<AgentLimits> = {
  maxTurns: fromZero,
  maxCalls: fromZero,
  maxTokens: fromZero,
  maxTime: fromZero,
}

const ideaRules: OptionRules<IdeaSources> = { folder: someText, load: aFunction }

/** The rules for the options of delegates. */
export const delegateOptionRules: OptionRules<DelegateOptions> = {
  ...modelOptionRules,
  ideas: [isJsonObject, 'an object of options', { rules: ideaRules }],
  maxDepth: fromZero,
}

const confirmRules: OptionRules<ConfirmRules> = {
  effects: effectsRule,
  ask: aFunction,
  askPlan: aFunction,
  expiresIn: aNumber,
}

const wholeNumber: FieldRule = [isWholeFromZero, 'a whole number from 0']

/** Like `every` of the list, which passes over holes. */
function everyItem(list: readonly unknown[], holds: (item: unknown) => boolean): boolean {
  return [...list].every(holds)
}

/** Two Calls with one id would share an Outcome. */
function isWaiting(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const isOne = (each: unknown): boolean =>
    isJsonObject(each) &&
    isJsonObject(each.call) &&
    isString(each.id) &&
    [each.waitsFor, each.misses].every(
      (ids) => ids === undefined || (Array.isArray(ids) && everyItem(ids, isString)),
    )
  if (!everyItem(value, isOne)) return false
  return new Set(value.map(({ id }) => id)).size === value.length
}

const suspendedRules: OptionRules<SuspendedRun> = {
  version: [(value) => value === 1, '1'],
  runId: someText,
  turn: wholeNumber,
  context: [(value) => Array.isArray(value) && everyItem(value, isJsonObject), 'a list of Messages'],
  waiting: [isWaiting, 'a list of Calls that wait, each with an id of its own'],
  unwritten: [isWaiting, 'a list of Calls that have ended, each with an id of its own'],
  output: [() => true, 'anything'],
  approvals: [(value) => Array.isArray(value) && everyItem(value, isJsonObject), 'a list of Approvals'],
  exchanges: exchangesRule,
  usage: numbersOf('what was used', 'in', 'out', 'cached'),
  spent: numbersOf('what was spent', 'turns', 'calls', 'tokens'),
}

/** Accepts the counts of a run: with any other value, the run's limits would have no effect. */
function numbersOf(what: string, ...names: readonly string[]): FieldRule {
  const rules = Object.fromEntries(names.map((name) => [name, fromZero]))
  return [isJsonObject, what, { rules, required: names }]
}

/** The rules for the options of an agent's Calls, without those of groups, such as `concurrency`, which would have no effect. */
export const everyCallRules: OptionRules<EveryCallOptions> = omitRules(
  runOptionRules,
  'context',
  'signal',
  'id',
  'attempt',
  'model',
  'confirm',
  'concurrency',
  'allowEffects',
  'onOutcome',
)

/** The rules for the options of an agent. */
export const agentOptionRules: OptionRules<AgentOptions> = {
  ...delegateOptionRules,
  ...limitRules,
  ...goalRules,
  tools: registryTool,
  confirm: [
    isFunction,
    'a function, or { effects?, ask?, askPlan?, expiresIn? }',
    // Without either, the rules would ask nobody.
    { rules: confirmRules, eitherOf: ['ask', 'askPlan'] },
  ],
  resume: [
    isJsonObject,
    'what `error.result.suspended` was',
    {
      rules: suspendedRules,
      required: ['version', 'runId', 'turn', 'context', 'waiting', 'approvals', 'usage', 'spent'],
    },
  ],
  decisions: [Array.isArray, 'a list of decisions'],
  claim: aFunction,
  contract: someText,
  run: [isJsonObject, 'an object of options', { rules: everyCallRules, isCopied: true }],
  latent: withMethods('a LatentModel, such as latentModel(…)', 'answer'),
  concurrency: runOptionRules.concurrency,
  early: oneOf('none', 'safe', 'all'),
  plan: oneOf('eager', 'lazy'),
  redact: aFunction,
  executor: aFunction,
  runId: someText,
  log: aFunction,
  onTurn: aFunction,
}

/** Recognises options whose `resume` is a whole result, or the error around that. */
const hasResultAsResume: FieldRule = [
  (options) =>
    isJsonObject(options) &&
    isJsonObject(options.resume) &&
    [options.resume.suspended, options.resume.result].some(isJsonObject),
  'options',
]

/** Validates the options of an agent. Of a result passed as `resume`, not each of its properties is a problem. */
export function requireAgentOptions(of: string, options: unknown): void {
  if (holds(hasResultAsResume, options)) {
    const expected = 'what `error.result.suspended` was, without the result or the error around it'
    throw wrongOptions(of, [problem('/resume', expected, Reflect.get(Object(options), 'resume'))])
  }
  requireOptionsOf(of, options, agentOptionRules, ['model', 'tools'])
}
