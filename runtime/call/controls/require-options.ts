import { contextRule } from '../../context/context-rule.ts'
import { parseScopes } from '../../context/scope-list.ts'
import { CallError, type Problem } from '../../errors.ts'
import { isJsonObject, own } from '../../json/json.ts'
import {
  aFunction,
  count,
  type FieldRule,
  flag,
  fromZero,
  isFlag,
  isFunction,
  isString,
  oneOf,
  someText,
  withMethods,
} from '../../problems/field-rule.ts'
import { holds, type OptionRules, optionProblems } from '../../problems/option-problems.ts'
import { ended, listProblems, problem } from '../../problems/problem.ts'
import { allEffects } from '../../schema/effects.ts'
import type { Confirm, ConfirmCalls } from '../confirm.ts'
import type { GroupOptions, RetryOptions, RunOptions } from '../run-options.ts'
import type { TelemetryOptions } from '../telemetry/tracer.ts'

type AllOptions = RunOptions & GroupOptions

const [isCount] = count
const [isTime] = fromZero
const [isText] = someText

/** The rule for a signal. */
export const signalRule: FieldRule = [isSignal, 'an AbortSignal']

/** The rule for the wait before another attempt. */
export const backoffRule: FieldRule = [
  (value) => isFunction(value) || isTime(value),
  'milliseconds from 0, or a function of the attempt',
]

/** The rule for the effects that `confirm` is limited to. */
export const effectsRule: FieldRule = [
  (value) => Array.isArray(value) && value.every((each) => allEffects.includes(each)),
  `a list of ${allEffects.map((effect) => JSON.stringify(effect)).join(', ')}`,
]

/** The members of `retry`. */
const retryRules: OptionRules<RetryOptions> = {
  attempts: count,
  backoff: backoffRule,
  when: aFunction,
  allowEffects: flag,
}

/** The members of `confirm` if it is an object. */
const confirmRules: OptionRules<Exclude<ConfirmCalls, Confirm>> = {
  effects: effectsRule,
  ask: aFunction,
}

const outputPolicy = oneOf('error', 'report')

const policyRule: FieldRule = [
  isPolicy,
  'a variant, a function, { environment, otherwise? }, { percentage, otherwise? } with shares of 100 in all, or { compare } of two variants',
]

/** The members of `telemetry`. */
const telemetryRules: OptionRules<TelemetryOptions> = {
  captureContent: flag,
  tracer: withMethods('a tracer of OpenTelemetry', 'startActiveSpan'),
}

/** The rules for every option of a run and of a group. */
export const runOptionRules: OptionRules<AllOptions> = {
  context: contextRule,
  signal: signalRule,
  timeout: [isTime, 'milliseconds from 0'],
  // `attempts` is required: the other members mean nothing without it.
  retry: [isJsonObject, 'an object of options', { rules: retryRules, required: ['attempts'] }],
  confirm: [
    isFunction,
    'a function, or { effects, ask }',
    { rules: confirmRules, required: ['effects', 'ask'] },
  ],
  before: aFunction,
  after: aFunction,
  references: [isReferences, 'false, or a list of kinds and References'],
  principal: [() => true, 'anything'],
  id: someText,
  variantKey: someText,
  elsewhere: flag,
  approved: [(value) => isFlag(value) || effectsRule[0](value), effectsRule[1]],
  attempt: count,
  missingActivity: oneOf('latent', 'error'),
  onInvalidOutput: [
    outputPolicy[0],
    '"error", "report", or one of them for each Tool',
    { each: outputPolicy },
  ],
  policy: [isJsonObject, 'a policy for each Activity', { each: policyRule }],
  model: [
    (value) => isJsonObject(value) && isFunction(value.answer),
    'a LatentModel, such as latentModel(…)',
  ],
  telemetry: [
    (value) => value === false,
    'false, or { captureContent?, tracer? }',
    { rules: telemetryRules },
  ],
  concurrency: [(value) => value === Number.POSITIVE_INFINITY || isCount(value), 'a whole number from 1'],
  allowEffects: flag,
  onOutcome: aFunction,
}

/**
 * Refuses options that would silently do something else, such as `NaN` attempts, which would retry for ever, or a
 * misspelt `timeOut`. An option that is undefined counts as left out.
 *
 * @throws CallError `invalid_options` with every problem; no Call has been accepted yet.
 */
export function requireOptions(options: AllOptions): void {
  const problems = optionProblems(options, runOptionRules)
  if (problems.length > 0) throw invalidOptions(problems, holds(contextRule, options))
}

/** Does the same for a group. @throws CallError `invalid_options`, also for an `id`, which all Calls would share. */
export function requireGroupOptions(options: GroupOptions | undefined): void {
  if (options === undefined) return
  requireOptions(options)
  const id = own(options, 'id')
  if (id === undefined) return
  throw invalidOptions([problem('/id', 'no id: each Call of a group has one of its own', id)])
}

function invalidOptions(problems: readonly Problem[], isContext: boolean = false): CallError {
  const sentence = ended(`The options cannot be used: ${listProblems(problems)}`)
  const advice = isContext ? ' Pass a context as { context }.' : ''
  return new CallError('invalid_options', sentence + advice, { problems })
}

/** Accepts signals of another realm or a polyfill: what counts is that the used members exist. */
function isSignal(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { aborted, addEventListener, removeEventListener } = value
  // A missing `removeEventListener` would throw after the Activity has run, and lose its Outcome.
  return isFlag(aborted) && isFunction(addEventListener) && isFunction(removeEventListener)
}

function isReferences(value: unknown): boolean {
  if (value === false) return true
  if (!Array.isArray(value) || !value.every(isString)) return false
  // What it throws says no, as anything that a rule throws does.
  parseScopes(value)
  return true
}

/** Accepts exactly one way to choose a variant, and `otherwise` only if that may choose none. */
function isPolicy(value: unknown): boolean {
  if (!isJsonObject(value)) return isText(value) || isFunction(value)
  const { otherwise, ...ways } = value
  const [[way, by] = [], ...others] = Object.entries(ways)
  if (others.length > 0) return false
  if (way === 'compare') return otherwise === undefined && isPair(by)
  if (otherwise !== undefined && !isText(otherwise)) return false
  return way === 'environment' ? isText(by) : way === 'percentage' && areShares(by)
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isText)
}

/**
 * Accepts shares that add up to 100 at most: a variant beyond that would never be chosen. Allows for rounding errors.
 */
function areShares(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const shares = Object.values(value) as number[]
  return shares.every(isTime) && shares.reduce((sum, share) => sum + share, 0) <= 100.000001
}
