import { isCallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { isInPlace } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { evaluatedProperties } from './evaluated.ts'
import { targetOf } from './reference-findings.ts'
import type { References } from './references.ts'
import { subschemas } from './subschemas.ts'
import type { Unsupported } from './unsupported.ts'

/** Finds the keywords for which Ajv and the standard disagree about what is evaluated, so that no verdict would be right. */
export function evaluationFindings(
  schema: JsonSchema,
  pointer: string,
  references: References,
): Unsupported[] {
  if (schema.unevaluatedProperties === undefined && schema.unevaluatedItems === undefined) return []
  const finding = (keyword: string, beside: string) => ({
    pointer: `${pointer}/${keyword}`,
    keyword,
    reason: `${keyword} with ${beside} for the same value is read differently by Ajv and by the standard`,
    fix: `Write what ${keyword} should allow without ${beside}.`,
  })
  const nested = nestedEvaluations(schema, references)
  const has = (keywords: readonly string[]) =>
    keywords.filter((keyword) => usesInPlace(schema, keyword, references, new Set()))
  return [
    ...(schema.unevaluatedProperties === undefined
      ? []
      : has(['if']).map((keyword) => finding('unevaluatedProperties', keyword))),
    ...(schema.unevaluatedItems === undefined
      ? []
      : has(['if', 'contains', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies']).map((keyword) =>
          finding('unevaluatedItems', keyword),
        )),
    ...(nested > mostNested ? [tooDeep(nested, pointer)] : alternativesFindings(schema, pointer, references)),
  ]
}

/**
 * Finds nested `unevaluatedProperties`. Each depends on what the alternatives inside it have evaluated, and those with one of
 * their own do so again: the work doubles with each level for the same object.
 */
const mostNested = 3

function tooDeep(nested: number, pointer: string): Unsupported {
  const keyword = 'unevaluatedProperties'
  return {
    pointer: `${pointer}/${keyword}`,
    keyword,
    reason: `${nested} unevaluatedProperties stand in one another for the same object; at most ${mostNested} can be checked`,
    fix: 'Keep the outermost, which sees what the inner ones allow.',
  }
}

/** Deepest nesting for the same value. */
function nestedEvaluations(
  schema: Schema,
  references: References,
  known: Map<Schema, number> = new Map(),
): number {
  if (typeof schema === 'boolean') return 0
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, 0) // What refers to itself adds nothing.
  const target = typeof schema.$ref === 'string' ? targetOf(schema.$ref, references) : undefined
  const inPlace: Schema[] = subschemas(schema)
    .filter((each) => isInPlace(each.keyword))
    .map((each) => each.schema)
  const inside = [...inPlace, ...(target === undefined ? [] : [target])].map((each) =>
    nestedEvaluations(each, references, known),
  )
  const depth = Math.max(0, ...inside) + (schema.unevaluatedProperties === undefined ? 0 : 1)
  known.set(schema, depth)
  return depth
}

function alternativesFindings(schema: JsonSchema, pointer: string, references: References): Unsupported[] {
  if (schema.unevaluatedProperties === undefined) return []
  const keyword = 'unevaluatedProperties'
  const finding = (reason: string, fix: string) => [
    { pointer: `${pointer}/${keyword}`, keyword, reason, fix },
  ]
  try {
    evaluatedProperties(schema, references)
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    return finding(error.message, 'Use fewer alternatives.')
  }
  const known = new Map<Schema, number>()
  const parts = partsToBuild(schema, references, known)
  if (parts <= mostParts || parts <= mostTimes * known.size) return []
  return finding(
    `${keyword} asks alternatives that ask others in turn, in more than ${mostParts} parts or without an end`,
    `Put ${keyword} into the definition that has the alternatives, not beside the $ref to it.`,
  )
}

/** An alternative, with those nested in it, is built again for each `unevaluatedProperties` that depends on it. */
const mostParts = 10_000

/** How often parts may be built on average, so that a large schema is not refused for its size alone. */
const mostTimes = 10

/** Counts the parts of a check: its schemas, and the alternatives it depends on. Infinite if those depend on it again. */
function partsToBuild(schema: Schema, references: References, known: Map<Schema, number>): number {
  if (typeof schema === 'boolean') return 0
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, Number.POSITIVE_INFINITY) // Until it is known: whoever asks meanwhile stands in it.
  const inside = subschemas(schema).flatMap((each) => (isDefinition(each.keyword) ? [] : [each.schema]))
  let parts = 1
  for (const each of [...inside, ...asked(schema, references)]) parts += partsToBuild(each, references, known)
  known.set(schema, parts)
  return parts
}

/** A definition has its own check, which is built once. */
function isDefinition(keyword: string): boolean {
  return keyword === '$defs' || keyword === 'definitions'
}

/** Returns the alternatives whose verdicts `unevaluatedProperties` depends on. */
function asked(schema: JsonSchema, references: References): Schema[] {
  if (schema.unevaluatedProperties === undefined) return []
  return evaluatedProperties(schema, references).flatMap(({ when }) =>
    isJsonObject(when) ? (when.allOf ?? []) : [],
  )
}

function usesInPlace(schema: Schema, keyword: string, references: References, seen: Set<Schema>): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return false
  seen.add(schema)
  if (schema[keyword] !== undefined) return true
  const target = typeof schema.$ref === 'string' ? targetOf(schema.$ref, references) : undefined
  return (
    (target !== undefined && usesInPlace(target, keyword, references, seen)) ||
    subschemas(schema).some(
      (each) => isInPlace(each.keyword) && usesInPlace(each.schema, keyword, references, seen),
    )
  )
}
