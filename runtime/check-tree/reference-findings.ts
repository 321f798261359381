import { isCallsheetError } from '../errors.ts'
import { isInPlace } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import { subschemas } from './subschemas.ts'
import type { Unsupported } from './unsupported.ts'

/** References that lead nowhere, or back to themselves without looking into the value. */
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

/** What {@link refersToItself} found so far: each of a thousand definitions can lead to all the others. */
const found = new WeakMap<References, Map<Schema, boolean>>()

function knownOf(references: References): Map<Schema, boolean> {
  const known = found.get(references) ?? new Map<Schema, boolean>()
  found.set(references, known)
  return known
}

/**
 * True when following references and subschemas for the same value comes back to where it was. `known`: the answers so far,
 * which are yes for the schemas on the way.
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

/** What a reference leads to; undefined for one that leads nowhere. */
export function targetOf(reference: string, references: References): Schema | undefined {
  try {
    return references.schemaOf(references.nameOf(reference))
  } catch (error) {
    if (isCallsheetError(error)) return undefined
    throw error
  }
}
