import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { briefly } from '../problems/problem.ts'
import { modern } from './plain-schema.ts'
import type { Schema } from './schema.ts'

/**
 * Makes the schema of a goal plain JSON Schema, as a Tool's is made: without TypeBox's marks, tuples as 2020-12 spells
 * them. Apart from the Tools' own way there, which every worker loads.
 *
 * @throws CallsheetError `unsupported_schema` when it is not JSON, or no schema.
 */
export function plainGoal(schema: Schema | object, whose = 'the output'): Schema {
  const plain = asJson(schema, whose)
  if (isJsonObject(plain) || typeof plain === 'boolean') return modern(plain)
  throw new CallsheetError(
    'unsupported_schema',
    `The schema of ${whose} must be an object, true or false, got ${briefly(schema)}.`,
  )
}

function asJson(schema: unknown, whose: string): unknown {
  try {
    return JSON.parse(JSON.stringify(schema))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new CallsheetError('unsupported_schema', `The schema of ${whose} is not JSON: ${why}.`, { cause })
  }
}
