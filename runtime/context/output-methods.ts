import { type FieldRule, oneOf } from '../problems/field-rule.ts'
import type { OutputMethod } from './message.ts'

/** The values of `_outputMethod`: how an output combines with the value at its path. Default: `set`. */
export const outputMethods: readonly string[] = [
  'set',
  'merge',
  'assign',
  'push',
  'concat',
] satisfies OutputMethod[]

export const outputMethod: FieldRule = oneOf(...outputMethods)
