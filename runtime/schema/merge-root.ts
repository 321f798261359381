import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { isInPlace, wording } from '../keywords/keywords.ts'
import { reportHiddenMetaFields } from './hidden-meta-fields.ts'
import type { JsonSchema, Schema } from './schema.ts'
import type { ReportProblem, SchemaProblem } from './schema-problem.ts'
import type { TargetOf } from './target-of.ts'

/**
 * Makes the root of a Tool one object schema: follows its reference (a recursive TypeBox type) and merges its intersection,
 * if the merged schema allows the same values. If it does not, a root with properties of its own keeps the other parts in
 * `allOf`, and any other root is reported, as are meta-fields in such parts.
 */
export function mergeRoot(root: JsonSchema, targetOf: TargetOf, report: ReportProblem): JsonSchema {
  const merged = mergedRoot(root, targetOf, report)
  reportHiddenMetaFields(merged, targetOf, report)
  return merged
}

function mergedRoot(root: JsonSchema, targetOf: TargetOf, report: ReportProblem): JsonSchema {
  const { $ref, allOf, properties } = root
  if ($ref === undefined && (allOf === undefined || properties !== undefined)) return root
  const problems: SchemaProblem[] = []
  const reportHere: ReportProblem = (problem) => problems.push(problem)
  const merged = mergeParts(partsOf(root, targetOf, reportHere), targetOf, reportHere)
  if (problems.length > 0 && properties !== undefined) return besideOwn(root, targetOf(root))
  problems.forEach(report)
  return merged
}

function besideOwn({ $ref, allOf = [], ...own }: JsonSchema, target: JsonSchema | undefined): JsonSchema {
  return { ...own, allOf: [...(target ? [target] : []), ...allOf] }
}

function mergeParts(parts: readonly Part[], targetOf: TargetOf, report: ReportProblem): JsonSchema {
  reportClosedPart(parts, report)
  reportConditions(parts, report)
  const merged: JsonSchema = {}
  const properties = new Map<string, Schema>()
  const required = new Set<unknown>()
  for (const { own } of parts) {
    for (const [keyword, value] of Object.entries(own)) {
      if (keyword === 'properties' && isJsonObject(value)) addProperties(properties, value, targetOf, report)
      else if (keyword === 'required' && Array.isArray(value)) for (const name of value) required.add(name)
      else mergeKeyword(merged, keyword, value, report)
    }
  }
  return {
    ...withAdditionalProperties(merged),
    properties: Object.fromEntries(properties),
    required: [...required] as string[], // a list with anything else in it is refused as every malformed keyword is
  }
}

/** Replaces `unevaluatedProperties` by `additionalProperties`, which means the same if no alternative declares properties. */
function withAdditionalProperties(merged: JsonSchema): JsonSchema {
  const { unevaluatedProperties, ...rest } = merged
  if (unevaluatedProperties === undefined || Object.keys(rest).some(isInPlace)) return merged
  return { additionalProperties: unevaluatedProperties as Schema, ...rest }
}

/** Replaces the reference of a schema by its target, and keeps the keywords beside it. */
export function followReferences(
  schema: JsonSchema,
  targetOf: TargetOf,
  seen: ReadonlySet<JsonSchema> = new Set(),
): JsonSchema {
  if (schema.$ref === undefined) return schema
  const { $ref, $defs, $id, ...beside } = schema
  const target = targetOf(schema)
  if (target === undefined || seen.has(target)) return beside
  return { ...followReferences(target, targetOf, new Set([...seen, schema])), ...beside }
}

/** One of the schemas that all apply to the root. */
interface Part {
  /** Its own keywords, without the parts within it. */
  readonly own: JsonSchema
  /** The parts within it. */
  readonly inner: readonly Part[]
}

/**
 * Lists the schemas that all apply to the root, inner ones first, so that the root's own keywords override theirs. Each is
 * listed once.
 */
function partsOf(root: JsonSchema, targetOf: TargetOf, report: ReportProblem): Part[] {
  const open = new Set<JsonSchema>()
  const done = new Set<JsonSchema>()
  const visit = (schema: unknown): Part[] => {
    if (schema === false) return [{ own: { not: {} }, inner: [] }]
    if (!isJsonObject(schema) || done.has(schema)) return []
    if (open.has(schema)) {
      report(unmergeable('', 'it refers back to itself without looking into the value.'))
      return []
    }
    open.add(schema)
    const { $ref, $defs, $id, allOf, ...own } = schema as JsonSchema
    const target = $ref === undefined ? undefined : targetOf(schema)
    const inner = [...(target ? [target] : []), ...(Array.isArray(allOf) ? allOf : [])].flatMap(visit)
    open.delete(schema)
    done.add(schema)
    return [...inner, { own, inner }]
  }
  return visit(root)
}

function namesOf({ own: { properties } }: Part): string[] {
  return isJsonObject(properties) ? Object.keys(properties) : []
}

/** Reports a part that restricts further properties: those of the other parts are further to it, but not to the merged schema. */
function reportClosedPart(parts: readonly Part[], report: ReportProblem): void {
  const all = new Set(parts.flatMap(namesOf))
  const isDeclaredBy = (some: readonly Part[]): boolean =>
    new Set(some.flatMap(namesOf)).size === all.size &&
    parts.every((part) => part.own.patternProperties === undefined || some.includes(part))
  const closed = parts.some((part) => {
    const { additionalProperties, unevaluatedProperties } = part.own
    return (
      (isClosed(additionalProperties) && !isDeclaredBy([part])) ||
      (isClosed(unevaluatedProperties) &&
        parts.some((other) => other !== part && !part.inner.includes(other) && restrictsProperties(other)))
    )
  })
  if (closed) {
    report({
      rule: 'intersection-root',
      pointer: '',
      message:
        'it intersects an object that is closed (additionalProperties) with properties which that one does not declare.',
      fix: 'Declare the properties together: tool(name, { ...common.properties, … }).',
    })
  }
}

function restrictsProperties({ own }: Part): boolean {
  return Object.keys(own).some((keyword) => isInPlace(keyword) || /properties$/i.test(keyword))
}

function isClosed(further: unknown): boolean {
  return further !== undefined && further !== true
}

/** Reports conditions in several parts: merged, the `if` of one would apply to the `then` of another. */
function reportConditions(parts: readonly Part[], report: ReportProblem): void {
  const conditional = parts.filter(({ own }) =>
    ['if', 'then', 'else'].some((word) => Object.hasOwn(own, word)),
  )
  if (conditional.length > 1) {
    report(unmergeable('', 'two parts of the intersection have conditions ("if", "then" or "else").'))
  }
}

function mergeKeyword(merged: JsonSchema, keyword: string, value: unknown, report: ReportProblem): void {
  const before = merged[keyword]
  if (before === undefined || wording.includes(keyword) || canonicalJson(before) === canonicalJson(value)) {
    merged[keyword] = value
  } else if (keyword === 'additionalProperties' && (before === true || value === true)) {
    merged[keyword] = (before === true ? value : before) as Schema
  } else {
    report(
      unmergeable(`/${keyword}`, `two parts of the intersection say different things about "${keyword}".`),
    )
  }
}

function addProperties(
  properties: Map<string, Schema>,
  added: Record<string, unknown>,
  targetOf: TargetOf,
  report: ReportProblem,
): void {
  // The same reference can lead to different schemas, each in the definitions of its part.
  const said = (schema: unknown): string => canonicalJson([schema, isJsonObject(schema) && targetOf(schema)])
  for (const [name, schema] of Object.entries(added)) {
    const before = properties.get(name)
    if (before !== undefined && said(before) !== said(schema)) {
      report(
        unmergeable(`/properties/${name}`, `two parts of the intersection declare "${name}" differently.`),
      )
    }
    properties.set(name, schema as Schema)
  }
}

function unmergeable(pointer: string, message: string) {
  return {
    rule: 'intersection-root',
    pointer,
    message,
    fix: 'A Tool is one object: declare its properties together, without Type.Intersect at the root.',
  }
}
