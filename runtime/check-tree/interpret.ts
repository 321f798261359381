import { check } from '../checks/check.ts'
import { CallsheetError } from '../errors.ts'
import type { Schema } from '../schema/schema.ts'
import type { Check } from '../schema/validator.ts'
import { linkSchema } from './link-schema.ts'
import { localReferences } from './local-references.ts'
import type { References } from './references.ts'
import { unsupportedSchema } from './supported.ts'
import type { Unsupported } from './unsupported.ts'

/**
 * Creates the check of a schema at run time, without evaluating code, so that it works where `eval` is forbidden. It gives the same
 * verdicts and messages as the compiled check of the schema, since both are made from the same tree and call the same functions.
 *
 * @throws CallsheetError `unsupported_schema`, with a problem for each part that cannot be checked correctly.
 *
 * @example
 * interpretCheck({ type: 'integer', minimum: 1 })(0) // false
 */
export function interpretCheck(schema: Schema): Check {
  const own = asJson(schema)
  const references = requireSupported(own)
  const step = linkSchema(own, references)
  return check((value) => step(value, '', null), step)
}

/**
 * Requires that a schema can be checked, without creating its check, which costs more. Returns its references.
 *
 * @throws CallsheetError `unsupported_schema`, as `interpretCheck`.
 */
export function requireSupported(schema: Schema): References {
  const references = localReferences(schema)
  const unsupported = unsupportedSchema(schema, references)
  if (unsupported.length > 0) throw refusal(unsupported)
  return references
}

/** Copies the schema, which guarantees JSON that nobody changes later. */
function asJson(schema: Schema): Schema {
  try {
    return JSON.parse(JSON.stringify(schema)) as Schema
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it is nested too deeply' : 'it refers to itself'
    throw new CallsheetError('unsupported_schema', `The schema is not JSON: ${why}.`, { cause })
  }
}

function refusal(unsupported: readonly Unsupported[]): CallsheetError {
  const problems = unsupported.map(({ pointer, reason, fix }) => ({
    path: pointer,
    expected: fix,
    received: reason,
    message: `${pointer === '' ? 'the schema' : pointer}: ${reason}. ${fix}`,
  }))
  const sentences = problems.slice(0, 5).map(({ message }) => message)
  const rest = problems.length > sentences.length ? ` And ${problems.length - sentences.length} more.` : ''
  const message = `The schema cannot be checked as it says. ${sentences.join(' ')}${rest}`
  return new CallsheetError('unsupported_schema', message, { problems })
}
