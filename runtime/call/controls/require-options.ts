import { contextRule } from '../../context/context-rule.ts'
import { parseScopes } from '../../context/scope-list.ts'
import { CallError, isCallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { count, type FieldRule, isFlag, isFunction, isString } from '../../problems/field-rule.ts'
import { type OptionRules, optionProblems } from '../../problems/option-problems.ts'
import { ended, listProblems, problem } from '../../problems/problem.ts'
import { allEffects } from '../../schema/effects.ts'
import type { GroupOptions, RetryOptions, RunOptions } from '../run-options.ts'

type AllOptions = RunOptions & GroupOptions

const [isCount] = count
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const policies = (value: unknown): boolean => value === 'error' || value === 'report'

/** The rule of a signal. */
export const signalRule: FieldRule = [isSignal, 'an AbortSignal']

/** The rule of what is waited before another attempt. */
export const backoffRule: FieldRule = [
  (value) => isFunction(value) || isTime(value),
  'milliseconds from 0, or a function of the attempt',
]

/** The members of `retry`. */
const retryRules: OptionRules<RetryOptions> = {
  attempts: count,
  backoff: backoffRule,
  when: [isFunction, 'a function'],
  allowEffects: [isFlag, 'true or false'],
}

/** Every option of a run and of a group, once. */
export const runOptionRules: OptionRules<AllOptions> = {
  context: contextRule,
  signal: signalRule,
  timeout: [isTime, 'milliseconds from 0'],
  // Without attempts there is nothing to retry by, whatever else is said.
  retry: [isJsonObject, 'an object of options', { rules: retryRules, required: ['attempts'] }],
  confirm: [isConfirm, 'a function, or { effects, ask }'],
  before: [isFunction, 'a function'],
  after: [isFunction, 'a function'],
  references: [isReferences, 'false, or a list of kinds and References'],
  principal: [() => true, 'anything'],
  id: [isText, 'a text'],
  variantKey: [isText, 'a text'],
  elsewhere: [isFlag, 'true or false'],
  approved: [isFlag, 'true or false'],
  missingActivity: [(value) => value === 'latent' || value === 'error', '"latent" or "error"'],
  onInvalidOutput: [
    (value) => policies(value) || (isJsonObject(value) && Object.values(value).every(policies)),
    '"error", "report", or one of them for each Tool',
  ],
  policy: [isPolicies, 'a policy for each Activity'],
  model: [
    (value) => isJsonObject(value) && isFunction(value.answer),
    'a LatentModel, such as latentModel(…)',
  ],
  telemetry: [
    (value) =>
      value === false ||
      (isJsonObject(value) && (value.captureContent === undefined || isFlag(value.captureContent))),
    'false, or { captureContent?, tracer? }',
  ],
  concurrency: [(value) => value === Number.POSITIVE_INFINITY || isCount(value), 'a whole number from 1'],
  allowEffects: [isFlag, 'true or false'],
  onOutcome: [isFunction, 'a function'],
}

/**
 * Refuses options that would silently mean something else, such as a `NaN` of attempts, which would retry for ever, or
 * a misspelt `timeOut`. An option that is undefined is not said.
 *
 * @throws CallError `invalid_options` with every problem; no Call has been accepted yet.
 */
export function requireOptions(options: AllOptions): void {
  const problems = optionProblems(options, runOptionRules)
  if (problems.length > 0) throw unusable(problems)
}

/** @throws CallError `invalid_options` as for single Calls, and for an `id`, which all Calls of the group would share. */
export function requireGroupOptions(options: GroupOptions | undefined): void {
  if (options === undefined) return
  requireOptions(options)
  const id = own(options, 'id')
  if (id === undefined) return
  throw unusable([problem('/id', 'no id: each Call of a group has one of its own', id)])
}

function unusable(problems: readonly Problem[]): CallError {
  return new CallError('invalid_options', ended(`The options cannot be used: ${listProblems(problems)}`), {
    problems,
  })
}

/** Of another realm or a polyfill, too: what is used of it is there. */
function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>
  // Without the last it would fail when the Activity has run, and its Outcome would be lost.
  return isFlag(aborted) && isFunction(addEventListener) && isFunction(removeEventListener)
}

function isConfirm(value: unknown): boolean {
  if (!isJsonObject(value)) return isFunction(value)
  const { effects: only, ask } = value
  return isFunction(ask) && Array.isArray(only) && only.every((each) => allEffects.includes(each))
}

function isReferences(value: unknown): boolean {
  if (value === false) return true
  if (!Array.isArray(value) || !value.every(isString)) return false
  try {
    parseScopes(value)
    return true
  } catch (thrown) {
    if (isCallsheetError(thrown)) return false
    throw thrown
  }
}

function isPolicies(value: unknown): boolean {
  const isPolicy = (policy: unknown): boolean =>
    policy === undefined ||
    typeof policy === 'string' ||
    isFunction(policy) ||
    (isJsonObject(policy) &&
      (typeof policy.environment === 'string' ||
        (isJsonObject(policy.percentage) && Object.values(policy.percentage).every(isShare)) ||
        (Array.isArray(policy.compare) && policy.compare.length === 2)))
  return isJsonObject(value) && Object.values(value).every(isPolicy)
}

function isShare(value: unknown): boolean {
  return isTime(value) && (value as number) <= 100
}
