import { type FieldRule, flag, oneOf } from '../problems/field-rule.ts'
import { allEffects } from './effects.ts'

/** What the options that stand on a Tool's schema must be (TOOL-9): a misspelt effect would be asked for by nobody. */
export const toolOptions: Readonly<Record<'effects' | 'enabled' | 'parser' | 'examples', FieldRule>> = {
  effects: oneOf(...allEffects),
  enabled: flag,
  parser: oneOf('json', 'tuple'),
  examples: [Array.isArray, 'a list'],
}
