import { CallsheetError } from '../errors.ts'
import { modern } from './plain-schema.ts'
import type { Schema } from './schema.ts'

/**
 * Makes the schema of a goal plain JSON Schema, as a Tool's is made: without TypeBox's marks, tuples as 2020-12 spells
 * them. Apart from the Tools' own way there, which every worker loads.
 *
 * @throws CallsheetError `unsupported_schema` when it is not JSON.
 */
export function plainGoal(schema: Schema | object, whose = 'the output'): Schema {
  try {
    return modern(JSON.parse(JSON.stringify(schema)) as Schema)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new CallsheetError('unsupported_schema', `The schema of ${whose} is not JSON: ${why}.`, { cause })
  }
}
