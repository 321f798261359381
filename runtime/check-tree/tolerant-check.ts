import { isCallsheetError } from '../errors.ts'
import type { Schema } from '../schema/schema.ts'
import type { Check } from '../schema/validator.ts'
import { interpretCheck } from './interpret.ts'

/**
 * Creates a check that accepts everything if the schema has a pattern or format that cannot be checked here: for values that
 * are validated later by the declared schema.
 */
export function tolerantCheck(schema: Schema): Check {
  try {
    return interpretCheck(schema)
  } catch (error) {
    if (isCallsheetError(error) && error.code === 'unsupported_schema') return () => true
    throw error
  }
}
