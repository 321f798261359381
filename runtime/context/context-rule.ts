import { isJsonObject } from '../json/json.ts'
import type { FieldRule } from '../problems/field-rule.ts'
import { contextInternals } from './reader.ts'

/** Accepts a context. */
export const contextRule: FieldRule = [isContext, 'a list of Messages, or a Context']

function isContext(value: unknown): boolean {
  if (Array.isArray(value)) return true
  return isJsonObject(value) && (contextInternals.has(value) || Array.isArray(value.messages))
}
