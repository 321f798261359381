import { formatType } from '../checks/formats.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { boundOf } from './spellings.ts'
import { type CheckTree, call, literal } from './tree.ts'
import { typesOf } from './types.ts'

/** Builds the checks of `minLength`, `maxLength`, `pattern` and `format` for strings. */
export function stringParts(schema: JsonSchema): CheckTree[] {
  const { maxLength, pattern, format } = schema
  const minLength = boundOf(schema.minLength)
  const parts: CheckTree[] = []
  if (minLength !== undefined || maxLength !== undefined) {
    parts.push(call('text', literal(minLength), literal(maxLength)))
  }
  if (typeof pattern === 'string') parts.push(call('pattern', literal(pattern)))
  if (typeof format === 'string' && formatType(format) === 'string') {
    parts.push(call('format', literal(format)))
  }
  return parts
}

/** Builds the checks of bounds, `multipleOf` and some formats for numbers. */
export function numberParts(schema: JsonSchema): CheckTree[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  const parts: CheckTree[] = []
  if (exclusiveMinimum !== undefined) parts.push(call('above', literal(exclusiveMinimum)))
  if (exclusiveMaximum !== undefined) parts.push(call('below', literal(exclusiveMaximum)))
  if (multipleOf !== undefined) parts.push(call('multiple', literal(multipleOf)))
  if (typeof format === 'string' && formatType(format) === 'number') {
    parts.push(call('format', literal(format)))
  }
  if (parts.length === 0 && minimum === undefined && maximum === undefined) return []
  const base = typesOf(schema)?.includes('number') === false ? 'integer' : 'number'
  return [call(base, literal(minimum), literal(maximum)), ...parts]
}
