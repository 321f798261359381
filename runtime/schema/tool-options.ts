import type { FieldRule } from '../problems/field-rule.ts'
import { allEffects } from './effects.ts'

/**
 * What the options that stand on a Tool's schema must be (TOOL-9): a misspelt effect would be asked for by nobody. Written out,
 * since a bundle that only declares Tools would carry what is called here.
 */
export const toolOptions: Readonly<Record<'effects' | 'enabled' | 'parser' | 'examples', FieldRule>> = {
  effects: [(value) => allEffects.includes(value as string), '"read", "idempotent" or "write"'],
  enabled: [(value) => typeof value === 'boolean', 'true or false'],
  parser: [(value) => value === 'json' || value === 'tuple', '"json" or "tuple"'],
  examples: [Array.isArray, 'a list'],
}
