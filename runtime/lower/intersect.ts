import { own } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import { keywordsWhere } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { isImpossible } from './impossible.ts'
import { matches } from './matches.ts'
import type { Origins } from './origins.ts'

/** What merging schemas needs from the lowering that it is part of. */
export interface Intersection {
  readonly origins: Origins
  /** The schema that a node's `$ref` leads to; undefined where following it would never end. */
  resolve(node: JsonSchema): JsonSchema | undefined
  /** Records that a keyword of `node` found no place in the merged schema. */
  lose(node: JsonSchema, keyword: string): void
}

/**
 * One schema that says what both say, where JSON Schema has keywords for it. Undefined when no value satisfies both.
 * What cannot be said twice in one node (a second pattern, a second union) stays with the left one, and the right one's
 * is recorded as lost.
 */
export function intersect(left: JsonSchema, right: JsonSchema, tools: Intersection): JsonSchema | undefined {
  if (isImpossible(left) || isImpossible(right)) return undefined
  const [a, b] = [expanded(left, right, tools), expanded(right, left, tools)]
  if (!a || !b) return left
  if (isImpossible(a) || isImpossible(b)) return undefined
  const merged: JsonSchema = { ...a }
  for (const [keyword, value] of Object.entries(b)) {
    if (structural.has(keyword)) continue
    // No keyword, and it would reach further than the schema.
    if (keyword === '__proto__') continue
    const mine = own(a, keyword)
    if (mine === undefined || isSameJson(mine, value)) merged[keyword] = value
    else {
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

/** Keywords that depend on one another, merged together. */
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

/** No value satisfies both. */
const never = Symbol('never')

/** A schema that no value satisfies. */
const impossible: JsonSchema = { not: {} }

type Merger = (left: unknown, right: unknown, tools: Intersection) => unknown

const larger: Merger = (left, right) => Math.max(Number(left), Number(right))
const smaller: Merger = (left, right) => Math.min(Number(left), Number(right))

const mergers: ReadonlyMap<string, Merger> = new Map(
  Object.entries<Merger>({
    // What counts only beside another keyword cannot be merged without it.
    ...Object.fromEntries(
      keywordsWhere(({ bound, beside }) => bound && !beside).map(({ name, bound }) => [
        name,
        bound === 'lower' ? larger : smaller,
      ]),
    ),
    uniqueItems: (left, right) => left === true || right === true,
    type: (left, right) => commonTypes(typeList(left), typeList(right)),
    propertyNames: mergeItems,
    allOf: (left, right) => [...(left as Schema[]), ...(right as Schema[])],
  }),
)

function mergeItems(left: unknown, right: unknown, tools: Intersection): unknown {
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
  // `number` and `integer` on one side meet in the same `integer` of the other.
  const common = [...new Set(both)]
  if (common.length === 0) return never
  return common.length === 1 ? common[0] : common
}

/**
 * A schema with its reference followed, since two references, or one beside keywords, are no single reference; undefined where
 * following it would never end.
 */
function expanded(node: JsonSchema, other: JsonSchema, tools: Intersection): JsonSchema | undefined {
  if (node.$ref === undefined || (node.$ref === other.$ref && Object.keys(node).length === 1)) return node
  const target = tools.resolve(node)
  if (!target) return undefined
  const { $ref, ...beside } = node
  if (Object.keys(beside).length === 0) return target
  return intersect(tools.origins.derive(beside as JsonSchema, node), target, tools) ?? impossible
}

/** Properties of both; what one declares and the other, closed, does not is impossible. */
function mergeObjects(merged: JsonSchema, a: JsonSchema, b: JsonSchema, tools: Intersection): boolean {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])]
  if (a.required || b.required) merged.required = required
  if (a.properties || b.properties) {
    const properties = new Map<string, Schema>()
    for (const name of new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})])) {
      const [mine, theirs] = [ruleFor(a, name), ruleFor(b, name)]
      if (mine === false || theirs === false) {
        if (required.includes(name)) return false
        continue
      }
      const both = mine === undefined ? theirs : theirs === undefined ? mine : intersect(mine, theirs, tools)
      if (!both && required.includes(name)) return false
      // Said, so that it stays impossible beside what else is merged.
      properties.set(name, both ?? impossible)
    }
    merged.properties = Object.fromEntries(properties)
  }
  const additional = mergeAdditional(a.additionalProperties, b.additionalProperties, tools)
  if (additional !== undefined) merged.additionalProperties = additional
  mergePatterns(merged, a, b, tools)
  return true
}

/** Patterns of one schema stay, as far as the other does not forbid or restrict what they match. */
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

/** Items of both, position by position. */
function mergeArrays(merged: JsonSchema, a: JsonSchema, b: JsonSchema, tools: Intersection): void {
  const length = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0)
  const at = (schema: JsonSchema, index: number): unknown =>
    schema.prefixItems?.[index] ?? schema.items ?? true
  if (length > 0) {
    merged.prefixItems = Array.from({ length }, (_, index) => {
      const both = mergeItems(at(a, index), at(b, index), tools)
      return (both === true ? {} : both === false ? impossible : both) as Schema
    })
  }
  if (a.items === undefined && b.items === undefined) return
  merged.items = mergeItems(a.items ?? true, b.items ?? true, tools) as Schema
}

/** What a schema says about a property: its own schema, that of the others, false for forbidden, undefined for nothing. */
function ruleFor(schema: JsonSchema, name: string): JsonSchema | false | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, name)) return properties[name] as JsonSchema
  const pattern = Object.keys(patternProperties).find((candidate) => matches(candidate, name))
  if (pattern !== undefined) return patternProperties[pattern] as JsonSchema
  return additionalProperties === true ? undefined : (additionalProperties as JsonSchema | false | undefined)
}

function mergeAdditional(
  left: Schema | undefined,
  right: Schema | undefined,
  tools: Intersection,
): Schema | undefined {
  if (left === undefined || left === true) return right ?? left
  if (right === undefined || right === true) return left
  if (left === false || right === false) return false
  return intersect(left, right, tools) ?? false
}

/** `const` and `enum` of both: the values that both list. */
function mergeConstants(merged: JsonSchema, a: JsonSchema, b: JsonSchema): boolean {
  const lists = [a, b].flatMap((schema) => [
    ...(schema.const === undefined ? [] : [[schema.const]]),
    ...(schema.enum === undefined ? [] : [schema.enum]),
  ])
  const one = a.const === undefined && a.enum === undefined ? b : a
  if (one.const !== undefined) merged.const = one.const
  if (one.enum !== undefined) merged.enum = one.enum
  if (lists.length < 2) return true
  const [first = [], ...others] = lists
  const common = first.filter((value) =>
    others.every((list) => list.some((candidate) => isSameJson(candidate, value))),
  )
  if (common.length === 0) return false
  if (merged.const === undefined) merged.enum = common
  else {
    delete merged.enum
    merged.const = common[0]
  }
  return true
}
