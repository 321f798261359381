import { CallsheetError } from '../errors.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import { dependenciesOf, tupleOf } from './spellings.ts'

/** The properties that a schema, or a subschema for the same object, has evaluated. */
export interface EvaluatedProperties {
  /** The condition under which they count; undefined: always. */
  readonly when: Schema | undefined
  /** `true`: all of them. */
  readonly names: readonly string[] | true
  readonly patterns: readonly string[]
}

/** Most alternatives, which multiply when they are nested: more are an attack or a mistake. */
const mostParts = 1000

/**
 * Returns the properties that `unevaluatedProperties` does not apply to. Next to `if` it is refused, since Ajv and the standard
 * disagree about what a condition has evaluated.
 *
 * @throws CallsheetError `unsupported_schema` if there are too many alternatives.
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
 * Returns how many leading items a schema, or a subschema for the same array, has evaluated. Next to `unevaluatedItems`, items
 * that only some alternatives evaluate are refused, so that the number never depends on the value.
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
