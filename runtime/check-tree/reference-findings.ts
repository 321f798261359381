import { isCallsheetError } from '../errors.ts'
import { isInPlace } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import { subschemas } from './subschemas.ts'
import type { Unsupported } from './unsupported.ts'

/** Finds references that do not resolve, and those that lead back to themselves for the same value. */
export function referenceFindings(
  schema: JsonSchema,
  pointer: string,
  references: References,
): Unsupported[] {
  const { $ref } = schema
  if (typeof $ref !== 'string') return []
  const finding = (reason: string, fix: string) => [
    { pointer: `${pointer}/$ref`, keyword: '$ref', reason, fix },
  ]
  try {
    if (references.schemaOf(references.nameOf($ref)) === undefined)
      throw new RangeError(`nothing is at ${briefly($ref)}`)
  } catch (error) {
    if (!isCallsheetError(error) && !(error instanceof RangeError)) throw error
    return finding(error.message, 'Put the schema into $defs and refer to it as "#/$defs/Name".')
  }
  return refersToItself(schema, references, knownOf(references))
    ? finding(
        `${briefly($ref)} leads back to itself without looking into the value`,
        'Let the recursion go through properties or items.',
      )
    : []
}

/** The results of {@link refersToItself} so far: each of a thousand definitions can reference all others. */
const found = new WeakMap<References, Map<Schema, boolean>>()

function knownOf(references: References): Map<Schema, boolean> {
  const known = found.get(references) ?? new Map<Schema, boolean>()
  found.set(references, known)
  return known
}

/**
 * True if following references and subschemas for the same value leads back to the start.
 *
 * @param known The results so far; true for the schemas on the current path.
 */
function refersToItself(schema: Schema, references: References, known: Map<Schema, boolean>): boolean {
  if (typeof schema === 'boolean') return false
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, true)
  const follow = (next: Schema) => refersToItself(next, references, known)
  const target = typeof schema.$ref === 'string' ? targetOf(schema.$ref, references) : undefined
  const isCircle =
    (target !== undefined && follow(target)) ||
    subschemas(schema).some((each) => isInPlace(each.keyword) && follow(each.schema))
  known.set(schema, isCircle)
  return isCircle
}

/** Resolves a reference; undefined if it does not resolve. */
export function targetOf(reference: string, references: References): Schema | undefined {
  try {
    return references.schemaOf(references.nameOf(reference))
  } catch (error) {
    if (isCallsheetError(error)) return undefined
    throw error
  }
}
