import { canonicalJson } from '../json/canonical-json.ts'
import { own } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import { keywordsWhere } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { isImpossible } from './impossible.ts'
import { matches } from './matches.ts'
import type { Origins } from './origins.ts'
import { besideUnevaluated, withoutUnevaluated } from './unevaluated.ts'

/** The services of the lowering that merging schemas needs. */
export interface Intersection {
  readonly origins: Origins
  /** Resolves a node's `$ref`; undefined if following it would never end. */
  resolve(node: JsonSchema): JsonSchema | undefined
  /** Records that a keyword of `node` could not be merged. */
  lose(node: JsonSchema, keyword: string): void
}

/**
 * Merges two schemas into one that requires both, as far as JSON Schema has keywords for it. Undefined if no value satisfies both.
 * If a keyword can occur only once (a second pattern, a second union), the left schema's is kept and the right one's is recorded
 * as lost.
 */
export function intersect(left: JsonSchema, right: JsonSchema, tools: Intersection): JsonSchema | undefined {
  if (isImpossible(left) || isImpossible(right)) return undefined
  const [mine, theirs] = [expanded(left, right, tools), expanded(right, left, tools)]
  if (!mine || !theirs) return left
  // Neither of two `unevaluatedProperties` sees what the other schema evaluates.
  const [a, b] = [settled(mine, tools), settled(theirs, tools)]
  if (isImpossible(a) || isImpossible(b)) return undefined
  const merged: JsonSchema = { ...a }
  for (const [keyword, value] of Object.entries(b)) {
    if (structural.has(keyword)) continue
    // Not a keyword, and it would apply to more than this schema.
    if (keyword === '__proto__') continue
    const mine = own(a, keyword)
    if (mine === undefined) merged[keyword] = value
    else if (isSameJson(mine, value)) {
      merged[keyword] = tools.origins.both({ [keyword]: mine }, { [keyword]: value })[keyword]
    } else {
      const both = mergers.get(keyword)?.(mine, value, tools)
      if (both === never) return undefined
      if (both !== undefined) merged[keyword] = both
      else if (keyword === 'description') merged.description = `${mine} ${value}`
      else tools.lose(b, keyword)
    }
  }
  if (!mergeObjects(merged, a, b, tools)) return undefined
  mergeArrays(merged, a, b, tools)
  if (!mergeConstants(merged, a, b)) return undefined
  return tools.origins.derive(merged, a, b)
}

/** Keywords that depend on each other and are merged together. */
const structural = new Set([
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'items',
  'prefixItems',
  'const',
  'enum',
])

/** The result of a {@link Merger} if no value satisfies both keywords. */
const never = Symbol('never')

/** A schema that no value satisfies. */
const impossible: JsonSchema = { not: {} }

type Merger = (left: unknown, right: unknown, tools: Intersection) => unknown

const larger: Merger = (left, right) => Math.max(Number(left), Number(right))
const smaller: Merger = (left, right) => Math.min(Number(left), Number(right))

const mergers: ReadonlyMap<string, Merger> = new Map(
  Object.entries<Merger>({
    // A keyword that depends on another cannot be merged without it.
    ...Object.fromEntries(
      keywordsWhere(({ bound, beside }) => bound && !beside).map(({ name, bound }) => [
        name,
        bound === 'lower' ? larger : smaller,
      ]),
    ),
    uniqueItems: (left, right) => left === true || right === true,
    type: (left, right) => commonTypes(typeList(left), typeList(right)),
    propertyNames: mergeSchemas,
    allOf: (left, right) => [...(left as Schema[]), ...(right as Schema[])],
  }),
)

function mergeSchemas(left: unknown, right: unknown, tools: Intersection): unknown {
  if (left === false || right === false) return false
  if (left === true) return right
  if (right === true) return left
  const both = intersect(left as JsonSchema, right as JsonSchema, tools)
  return both ?? false
}

function typeList(type: unknown): string[] {
  return Array.isArray(type) ? type : [String(type)]
}

function commonTypes(left: string[], right: string[]): unknown {
  const both = left.flatMap((type) => {
    if (right.includes(type)) return [type]
    if (type === 'integer' && right.includes('number')) return ['integer']
    return type === 'number' && right.includes('integer') ? ['integer'] : []
  })
  // `number` and `integer` on one side both match the `integer` of the other.
  const common = [...new Set(both)]
  if (common.length === 0) return never
  return common.length === 1 ? common[0] : common
}

/**
 * Replaces the reference of a schema by its target, since a merged schema cannot have two references; undefined if following it
 * would never end.
 */
function expanded(node: JsonSchema, other: JsonSchema, tools: Intersection): JsonSchema | undefined {
  if (node.$ref === undefined || (node.$ref === other.$ref && Object.keys(node).length === 1)) return node
  const target = tools.resolve(node)
  if (!target) return undefined
  const { $ref, ...beside } = node
  if (Object.keys(beside).length === 0) return target
  const here = tools.origins.derive(beside as JsonSchema, node)
  return besideUnevaluated(here, tools.origins, (rest) => intersect(rest, target, tools)) ?? impossible
}

/**
 * Rewrites `unevaluatedProperties` so that it no longer depends on the rest of the schema; recorded as lost if that is
 * not possible.
 */
function settled(node: JsonSchema, tools: Intersection): JsonSchema {
  if (node.unevaluatedProperties === undefined) return node
  const merged = node.allOf ? mergeAllOf(node, tools) : node
  if (!merged) return impossible
  const without = withoutUnevaluated(merged, tools.origins)
  if (without) return without
  tools.lose(merged, 'unevaluatedProperties')
  const { unevaluatedProperties, ...rest } = merged
  return tools.origins.derive(rest as JsonSchema, merged)
}

/** Merges a schema with all parts of its `allOf`. Undefined if no value satisfies all. */
export function mergeAllOf(node: JsonSchema, tools: Intersection): JsonSchema | undefined {
  const { allOf = [], ...own } = node
  // Located schemas contain no booleans in `allOf`.
  const parts = allOf.filter((part) => typeof part !== 'boolean')
  return besideUnevaluated(tools.origins.derive(own as JsonSchema, node), tools.origins, (rest) =>
    mergeAll([rest, ...parts], tools),
  )
}

/** Merges a list by halves, so that thousands of parts are not copied once for each. */
function mergeAll(parts: readonly JsonSchema[], tools: Intersection): JsonSchema | undefined {
  if (parts.length < 2) return parts[0]
  const middle = Math.ceil(parts.length / 2)
  const first = mergeAll(parts.slice(0, middle), tools)
  const second = first && mergeAll(parts.slice(middle), tools)
  return second && intersect(first, second, tools)
}

/** Merges properties. One that only one schema declares is impossible if the other is closed. */
function mergeObjects(merged: JsonSchema, a: JsonSchema, b: JsonSchema, tools: Intersection): boolean {
  const required = new Set([...(a.required ?? []), ...(b.required ?? [])])
  if (a.required || b.required) merged.required = [...required]
  if (a.properties || b.properties) {
    const properties = new Map<string, Schema>()
    for (const name of new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})])) {
      const [mine, theirs] = [ruleFor(a, b, name, tools), ruleFor(b, a, name, tools)]
      if (mine === false || theirs === false) {
        if (required.has(name)) return false
        continue
      }
      const both = mine === undefined ? theirs : theirs === undefined ? mine : intersect(mine, theirs, tools)
      if (!both && required.has(name)) return false
      // Declared as impossible, so that it stays impossible in further merges.
      properties.set(name, both ?? impossible)
    }
    merged.properties = Object.fromEntries(properties)
  }
  const [mine, theirs] = [a.additionalProperties, b.additionalProperties]
  if ((mine ?? theirs) !== undefined) {
    merged.additionalProperties = mergeSchemas(mine ?? true, theirs ?? true, tools) as Schema
  }
  mergePatterns(merged, a, b, tools)
  return true
}

/** Keeps the patterns of one schema whose matches the other neither forbids nor restricts. */
function mergePatterns(merged: JsonSchema, a: JsonSchema, b: JsonSchema, tools: Intersection): void {
  delete merged.patternProperties
  const [holder, other] = a.patternProperties ? [a, b] : [b, a]
  if (!holder.patternProperties) return
  if (other.patternProperties) {
    merged.patternProperties = holder.patternProperties
    if (!isSameJson(holder.patternProperties, other.patternProperties)) tools.lose(other, 'patternProperties')
  } else if (other.additionalProperties !== false) {
    merged.patternProperties = holder.patternProperties
    if (isObjectSchema(other.additionalProperties)) tools.lose(other, 'additionalProperties')
  }
}

function isObjectSchema(schema: Schema | undefined): schema is JsonSchema {
  return typeof schema === 'object'
}

/** Merges items, position by position. */
function mergeArrays(merged: JsonSchema, a: JsonSchema, b: JsonSchema, tools: Intersection): void {
  const length = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0)
  const at = (schema: JsonSchema, index: number): unknown =>
    schema.prefixItems?.[index] ?? schema.items ?? true
  if (length > 0) {
    merged.prefixItems = Array.from({ length }, (_, index) => {
      const both = mergeSchemas(at(a, index), at(b, index), tools)
      return (both === true ? {} : both === false ? impossible : both) as Schema
    })
  }
  if (a.items === undefined && b.items === undefined) return
  merged.items = mergeSchemas(a.items ?? true, b.items ?? true, tools) as Schema
}

/**
 * Returns a schema's constraint on a property: declared, or that of undeclared ones; false if forbidden, undefined if
 * unconstrained.
 */
function ruleFor(
  schema: JsonSchema,
  other: JsonSchema,
  name: string,
  tools: Intersection,
): JsonSchema | false | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const matching = Object.keys(patternProperties).filter((pattern) => matches(pattern, name))
  const byPattern = matching.map((pattern) => patternProperties[pattern] as JsonSchema)
  const named = Object.hasOwn(properties, name) ? (properties[name] as JsonSchema) : undefined
  // The patterns that are kept are merged into the properties later.
  if (named && !isClosedByName(other)) return named
  const [first, ...rest] = named ? [named, ...byPattern] : byPattern
  if (!first) return additionalProperties === true ? undefined : (additionalProperties as JsonSchema | false)
  return (
    rest.reduce<JsonSchema | undefined>((merged, rule) => merged && intersect(merged, rule, tools), first) ??
    impossible
  )
}

/** True for an object that allows declared properties only. */
function isClosedByName({ additionalProperties, patternProperties }: JsonSchema): boolean {
  return additionalProperties === false && !patternProperties
}

/** Merges `const` and `enum`: the values that both list. */
function mergeConstants(merged: JsonSchema, a: JsonSchema, b: JsonSchema): boolean {
  const lists = [a, b].flatMap((schema) => [
    ...(schema.const === undefined ? [] : [[schema.const]]),
    ...(schema.enum === undefined ? [] : [schema.enum]),
  ])
  const [first = [], ...others] = lists
  // That of `a` is in `merged` already.
  if (others.length === 0) {
    if (b.const !== undefined) merged.const = b.const
    if (b.enum !== undefined) merged.enum = b.enum
    return true
  }
  const listed = others.map((list) => new Set(list.map(canonicalJson)))
  const common = first.filter((value) => listed.every((texts) => texts.has(canonicalJson(value))))
  if (common.length === 0) return false
  if (merged.const === undefined) merged.enum = common
  else {
    delete merged.enum
    merged.const = common[0]
  }
  return true
}
