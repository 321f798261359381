import { CallsheetError } from '../errors.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import { dependenciesOf, tupleOf } from './spellings.ts'

/** Properties that a schema, or a subschema of it for the same object, has looked at. */
export interface EvaluatedProperties {
  /** They count when this holds; undefined: always. */
  readonly when: Schema | undefined
  /** `true`: all of them. */
  readonly names: readonly string[] | true
  readonly patterns: readonly string[]
}

/** Alternatives multiply when they are nested; more than this is an attack or a mistake. */
const mostParts = 1000

/**
 * What `unevaluatedProperties` does not apply to. Beside `if` it is refused, since Ajv and the standard disagree about
 * what a condition has looked at.
 *
 * @throws CallsheetError `unsupported_schema` when there are too many alternatives.
 */
export function evaluatedProperties(schema: JsonSchema, references: References): EvaluatedProperties[] {
  const { unevaluatedProperties, ...rest } = schema
  const found: EvaluatedProperties[] = []
  collectEvaluated(rest, [], references, found)
  return found.filter(({ names, patterns }) => names === true || names.length + patterns.length > 0)
}

function collectEvaluated(
  schema: Schema,
  conditions: readonly Schema[],
  references: References,
  found: EvaluatedProperties[],
): void {
  if (typeof schema === 'boolean') return
  if (found.length === mostParts) {
    const message = `unevaluatedProperties stands over more than ${mostParts} alternatives for the same object`
    throw new CallsheetError('unsupported_schema', message)
  }
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema
  const all = additionalProperties !== undefined || unevaluatedProperties !== undefined
  found.push({
    when: conditions.length > 0 ? { allOf: [...conditions] } : undefined,
    names: all ? true : Object.keys(properties),
    patterns: Object.keys(patternProperties),
  })
  const add = (subschema: Schema, ...more: Schema[]) =>
    collectEvaluated(subschema, [...conditions, ...more], references, found)
  const referred = schema.$ref === undefined ? undefined : references.schemaOf(references.nameOf(schema.$ref))
  if (referred !== undefined) add(referred)
  for (const each of schema.allOf ?? []) add(each)
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) add(branch, branch)
  for (const [name, dependency] of dependenciesOf(schema)) add(dependency, { required: [name] })
}

/**
 * How many leading items a schema, or a subschema of it for the same array, has looked at. Items that only some
 * alternative looks at are refused beside `unevaluatedItems`, so the answer never depends on the value.
 */
export function evaluatedItems(schema: JsonSchema, references: References): number {
  const { unevaluatedItems, ...rest } = schema
  return leadingItems(rest, references)
}

function leadingItems(
  schema: Schema,
  references: References,
  known: Map<Schema, number> = new Map(),
): number {
  if (typeof schema === 'boolean') return 0
  const before = known.get(schema)
  if (before !== undefined) return before
  const { prefix, rest } = tupleOf(schema)
  if (rest !== undefined || schema.unevaluatedItems !== undefined) return Number.POSITIVE_INFINITY
  const referred = schema.$ref === undefined ? undefined : references.schemaOf(references.nameOf(schema.$ref))
  const inPlace = [...(schema.allOf ?? []), ...(referred === undefined ? [] : [referred])]
  const found = Math.max(prefix.length, ...inPlace.map((each) => leadingItems(each, references, known)))
  known.set(schema, found)
  return found
}
