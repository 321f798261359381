import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { holdsOnlySchemas, isWithoutKeyword } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import { jsonOfSchema } from './json-of-schema.ts'
import { modern } from './plain-schema.ts'
import { rewriteReferences } from './rewrite-references.ts'
import type { Schema } from './schema.ts'
import { schemaError } from './schema-error.ts'
import type { SchemaProblem } from './schema-problem.ts'

/**
 * Converts the schema of a Request's output to plain JSON Schema, as `plainToolSchema` does for Tools: without
 * TypeBox's marks, with the tuples of 2020-12 and references as `#/$defs/Name`. A separate file, since every worker
 * loads the code for Tools and needs none of this.
 *
 * @throws CallsheetError `unsupported_schema` if it is not JSON, or not a schema.
 */
export function plainGoal(schema: Schema | object, whose = 'the output'): Schema {
  return withReferences(modern(jsonSchemaOf(schema, whose, isWithoutKeyword)), whose)
}

/**
 * Copies a schema as JSON, with the references that it has.
 *
 * @param isNone Whether a value is taken for no schema.
 * @throws CallsheetError `unsupported_schema` if it is not JSON, or not a schema.
 */
export function jsonSchemaOf(
  schema: unknown,
  whose: string,
  isNone: (schema: object) => boolean = holdsOnlySchemas,
): Schema {
  const plain = jsonCopyOf(schema, whose)
  if (isJsonObject(plain) && isNone(plain)) {
    throw new CallsheetError(
      'unsupported_schema',
      `The schema of ${whose} has no keyword of JSON Schema: ${briefly(schema)}. Put properties in Type.Object.`,
    )
  }
  if (typeof plain === 'boolean' || isJsonObject(plain)) return plain
  throw new CallsheetError(
    'unsupported_schema',
    `The schema of ${whose} must be an object, true or false, got ${briefly(schema)}.`,
  )
}

function withReferences(goal: Schema, whose: string): Schema {
  if (typeof goal === 'boolean' || !JSON.stringify(goal).includes('"$ref"')) return goal
  const problems: SchemaProblem[] = []
  const written = rewriteReferences(goal, (problem) => problems.push(problem))
  if (problems.length > 0) throw schemaError(`The schema of ${whose} cannot be used`, problems)
  return written
}

/**
 * Copies a schema as JSON.
 *
 * @throws CallsheetError `unsupported_schema` if it is not JSON, or one of a validation library such as Zod.
 */
export function jsonCopyOf(schema: unknown, whose: string): unknown {
  try {
    return JSON.parse(JSON.stringify(schema, jsonOfSchema))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new CallsheetError('unsupported_schema', `The schema of ${whose} is not JSON: ${why}.`, { cause })
  }
}
