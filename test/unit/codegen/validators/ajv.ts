import type { ValidateFunction } from 'ajv'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import { compileWithAjv } from '../../../ajv.ts'

/** What GEN-11 takes as the meaning of a schema. NaN and Infinity are no JSON numbers (Ajv's own default). */
export function ajvCheck(schema: Schema, allErrors: boolean = true): ValidateFunction {
  return compileWithAjv(schema, { strictNumbers: true, allErrors, ownProperties: true })
}
