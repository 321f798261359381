import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { wording } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import type { ReportProblem } from './report-problem.ts'
import type { Survey } from './survey.ts'

/**
 * Makes the root of a Tool one object schema: follows a reference (a recursive TypeBox type) and merges an intersection,
 * where that says the same. Otherwise reports why it cannot.
 */
export function mergeRoot(root: JsonSchema, survey: Survey, report: ReportProblem): JsonSchema {
  const isPlain = root.$ref === undefined && (root.allOf === undefined || root.properties !== undefined)
  if (isPlain) return root
  const parts = partsOf(root, survey, new Set())
  reportClosedPart(parts, report)
  const merged: JsonSchema = {}
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) mergeKeyword(merged, keyword, value, report)
  }
  const { unevaluatedProperties, ...rest } = merged
  return unevaluatedProperties === undefined
    ? merged
    : { ...rest, additionalProperties: unevaluatedProperties as Schema }
}

/** The schemas that all hold for the root, inner ones first, so that what the root itself says comes last. */
function partsOf(schema: Schema, survey: Survey, seen: Set<Schema>): JsonSchema[] {
  if (!isJsonObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const { $ref, $defs, $id, allOf = [], ...own } = schema as JsonSchema
  const target = $ref === undefined ? undefined : survey.targets.get(schema)
  return [...(target ? [target] : []), ...allOf].flatMap((part) => partsOf(part, survey, seen)).concat(own)
}

/** A closed part forbids what the others declare, so that together they allow nothing. */
function reportClosedPart(parts: readonly JsonSchema[], report: ReportProblem): void {
  const names = new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))
  const closed = parts.some(
    ({ additionalProperties, properties = {} }) =>
      additionalProperties === false && [...names].some((name) => !Object.hasOwn(properties, name)),
  )
  if (closed) {
    report({
      rule: 'intersection-root',
      pointer: '',
      message:
        'it intersects a closed object (additionalProperties: false) with properties which that one refuses.',
      fix: 'Declare the properties together: tool(name, { ...common.properties, … }).',
    })
  }
}

function mergeKeyword(merged: JsonSchema, keyword: string, value: unknown, report: ReportProblem): void {
  const before = merged[keyword]
  if (before === undefined || wording.includes(keyword) || canonicalJson(before) === canonicalJson(value)) {
    merged[keyword] = value
  } else if (keyword === 'required') {
    merged.required = [...new Set([...(before as string[]), ...(value as string[])])]
  } else if (keyword === 'properties') {
    merged.properties = mergeProperties(
      before as Record<string, Schema>,
      value as Record<string, Schema>,
      report,
    )
  } else if (keyword === 'additionalProperties' && (before === true || value === true)) {
    merged[keyword] = (before === true ? value : before) as Schema
  } else {
    report(
      unmergeable(`/${keyword}`, `two parts of the intersection say different things about "${keyword}".`),
    )
  }
}

function mergeProperties(
  before: Record<string, Schema>,
  added: Record<string, Schema>,
  report: ReportProblem,
): Record<string, Schema> {
  for (const [name, schema] of Object.entries(added)) {
    const other = Object.hasOwn(before, name) ? before[name] : undefined
    if (other === undefined || canonicalJson(other) === canonicalJson(schema)) continue
    report(unmergeable(`/properties/${name}`, `two parts of the intersection declare "${name}" differently.`))
  }
  return { ...before, ...added }
}

function unmergeable(pointer: string, message: string) {
  return {
    rule: 'intersection-root',
    pointer,
    message,
    fix: 'A Tool is one object: declare its properties together, without Type.Intersect at the root.',
  }
}
