import { formatType } from '../checks/formats.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { boundOf } from './spellings.ts'
import { type CheckTree, call, literal } from './tree.ts'
import { typesOf } from './types.ts'

/** What `minLength`, `maxLength`, `pattern` and `format` say about strings. */
export function stringParts(schema: JsonSchema): CheckTree[] {
  const { maxLength, pattern, format } = schema
  const minLength = boundOf(schema.minLength)
  return [
    ...(minLength !== undefined || maxLength !== undefined
      ? [call('text', literal(minLength), literal(maxLength))]
      : []),
    ...(typeof pattern === 'string' ? [call('pattern', literal(pattern))] : []),
    ...(typeof format === 'string' && formatType(format) === 'string'
      ? [call('format', literal(format))]
      : []),
  ]
}

/** What the bounds, `multipleOf` and some formats say about numbers. */
export function numberParts(schema: JsonSchema): CheckTree[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  const base = typesOf(schema)?.includes('number') === false ? 'integer' : 'number'
  const rest = [
    ...(exclusiveMinimum !== undefined ? [call('above', literal(exclusiveMinimum))] : []),
    ...(exclusiveMaximum !== undefined ? [call('below', literal(exclusiveMaximum))] : []),
    ...(multipleOf !== undefined ? [call('multiple', literal(multipleOf))] : []),
    ...(typeof format === 'string' && formatType(format) === 'number'
      ? [call('format', literal(format))]
      : []),
  ]
  if (rest.length === 0 && minimum === undefined && maximum === undefined) return []
  return [call(base, literal(minimum), literal(maximum)), ...rest]
}
