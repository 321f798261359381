import { everyCallRules, registryTool } from '../agent/run/agent-option-rules.ts'
import { isJsonObject } from '../json/json.ts'
import { type FieldRule, someText, texts } from '../problems/field-rule.ts'
import type { OptionRules } from '../problems/option-problems.ts'
import type { RestateStepOptions } from './restate-steps.ts'

/** Accepts the engine's SDK. */
export const restateSdk: FieldRule = [
  isJsonObject,
  'what `import * as restate from "@restatedev/restate-sdk"` gives',
]

/** The rules for the options of steps. */
export const restateStepRules: OptionRules<RestateStepOptions> = {
  Tool: registryTool,
  service: someText,
  local: texts('a list of names of Tools'),
  run: [isJsonObject, 'an object of options', { rules: everyCallRules, isCopied: true }],
}
