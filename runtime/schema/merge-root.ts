import { isJsonObject } from '../json/json.ts'
import { isInPlace, wording } from '../keywords/keywords.ts'
import { reportHiddenMetaFields } from './hidden-meta-fields.ts'
import { Meanings } from './meanings.ts'
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
  const meanings = new Meanings(targetOf)
  const keywords = new Map<string, unknown>()
  const properties = new Map<string, unknown>()
  const required = new Set<unknown>()
  for (const { own } of parts) {
    for (const [keyword, value] of Object.entries(own)) {
      if (keyword === 'required' && Array.isArray(value)) for (const name of value) required.add(name)
      else if (keyword === 'properties' && isJsonObject(value)) {
        for (const [name, schema] of Object.entries(value)) {
          merge(properties, name, schema, '/properties', meanings, report)
        }
      } else merge(keywords, keyword, value, '', meanings, report)
    }
  }
  return {
    ...withAdditionalProperties(Object.fromEntries(keywords)),
    properties: Object.fromEntries(properties) as Record<string, Schema>, // the checks find values that are none
    required: [...required] as string[], // a list with anything else in it is refused as every malformed keyword is
  }
}

/** Replaces `unevaluatedProperties` by `additionalProperties`, which means the same if no alternative declares properties. */
function withAdditionalProperties(merged: JsonSchema): JsonSchema {
  const { unevaluatedProperties, ...rest } = merged
  if (unevaluatedProperties === undefined || Object.keys(rest).some(isInPlace)) return merged
  return { additionalProperties: unevaluatedProperties as Schema, ...rest }
}

/** Replaces the reference of a schema by its target, and keeps the keywords beside it. Where they say something else, both count. */
export function followReferences(
  schema: JsonSchema,
  targetOf: TargetOf,
  seen: ReadonlySet<JsonSchema> = new Set(),
): JsonSchema {
  if (schema.$ref === undefined) return schema
  const { $ref, $defs, $id, ...beside } = schema
  const target = targetOf(schema)
  if (target === undefined || seen.has(target)) return beside
  const referred = followReferences(target, targetOf, new Set([...seen, schema]))
  const differs = ([keyword, value]: [string, unknown]): boolean =>
    Object.hasOwn(referred, keyword) &&
    !wording.includes(keyword) &&
    JSON.stringify(referred[keyword]) !== JSON.stringify(value)
  if (!Object.entries(beside).some(differs)) return { ...referred, ...beside }
  return { ...beside, allOf: [...(Array.isArray(beside.allOf) ? beside.allOf : []), referred] }
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
    report(
      unmergeable(
        '',
        'it intersects an object that is closed (additionalProperties) with properties that it does not declare.',
      ),
    )
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
    report(unmergeable('', 'two parts of the intersection have conditions ("if").'))
  }
}

/** Adds a keyword of a part, or one of its properties, to those of the parts before it. */
function merge(
  merged: Map<string, unknown>,
  name: string,
  value: unknown,
  within: string,
  meanings: Meanings,
  report: ReportProblem,
): void {
  const before = merged.get(name)
  const saying = (said: unknown): JsonSchema =>
    within ? { properties: { [name]: said as Schema } } : { [name]: said }
  const isSame = (): boolean => meanings.areSame(saying(before), saying(value))
  if (before === undefined || (!within && wording.includes(name)) || isSame()) {
    merged.set(name, value)
  } else if (!within && name === 'additionalProperties' && (before === true || value === true)) {
    merged.set(name, before === true ? value : before)
  } else {
    report(unmergeable(`${within}/${name}`, `two parts of the intersection declare "${name}" differently.`))
  }
}

function unmergeable(pointer: string, message: string) {
  return {
    rule: 'intersection-root',
    pointer,
    message,
    fix: 'Declare the properties together: tool(name, { ...common.properties, … }).',
  }
}
