import { runOptionRules } from '../call/controls/require-options.ts'
import { isJsonObject } from '../json/json.ts'
import { type FieldRule, omitRules } from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'
import type { ServedCallOptions } from './activity-request.ts'

const servedCallRules: OptionRules<ServedCallOptions> = omitRules(
  runOptionRules,
  'context',
  'signal',
  'id',
  'retry',
  'references',
  'timeout',
  'approved',
  'elsewhere',
  'attempt',
  'concurrency',
  'allowEffects',
  'onOutcome',
)

/** Accepts the options of Calls that a worker serves. */
export const servedCall: FieldRule = [
  isJsonObject,
  'an object of options',
  { rules: servedCallRules, isCopied: true },
]
