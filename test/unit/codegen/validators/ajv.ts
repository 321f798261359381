import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from '../../../../runtime/schema/schema.ts'

/** What GEN-11 takes as the meaning of a schema. NaN and Infinity are no JSON numbers (Ajv's own default). */
export function ajvCheck(schema: Schema, allErrors: boolean = true): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors,
    ownProperties: true,
    logger: false,
  })
  addFormats.default(ajv)
  return ajv.compile(schema)
}
