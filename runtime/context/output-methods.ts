import { type FieldRule, oneOf } from '../problems/field-rule.ts'
import type { OutputMethod } from './message.ts'

/** How an output joins what is at its path already; `set` where nothing is said. */
export const outputMethods: readonly string[] = [
  'set',
  'merge',
  'assign',
  'push',
  'concat',
] satisfies OutputMethod[]

export const outputMethod: FieldRule = oneOf(...outputMethods)
