import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** A schema whose keywords have the values that they should. */
interface Keywords extends JsonSchema {
  if?: Schema
  then?: Schema
  else?: Schema
  items?: Schema
  dependentSchemas?: Record<string, Schema>
  dependentRequired?: Record<string, string[]>
  unevaluatedItems?: Schema
  unevaluatedProperties?: Schema
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  minContains?: number
  maxContains?: number
  minProperties?: number
  maxProperties?: number
}

/** What a schema has looked at in a value that it takes: names, and indices as text. */
type Looked = ReadonlySet<string>

/**
 * The verdict of JSON Schema 2020-12, written down as the standard says it, each keyword where it stands and nothing remembered. Ajv
 * counts what a refused alternative looked at where patterns or conditions are in it, so it cannot judge `unevaluatedProperties`.
 * Knows no formats, and references to the root and to its definitions only.
 */
export function plainJudge(root: JsonSchema, value: unknown): boolean {
  return looked(root, value, root) !== undefined
}

/** Undefined for a value that the schema refuses. */
function looked(of: Schema, value: unknown, root: JsonSchema): Looked | undefined {
  if (typeof of === 'boolean') return of ? new Set() : undefined
  const schema = of as Keywords
  const inPlace = subschemasInPlace(schema, value, root)
  if (!inPlace || !isAllowed(schema, value)) return undefined
  const seen = new Set(inPlace.flatMap((each) => [...each]))
  const passes = (inner: Schema | undefined, member: unknown): boolean =>
    inner === undefined || looked(inner, member, root) !== undefined
  if (Array.isArray(value)) return itemsLooked(schema, value, seen, passes)
  if (typeof value === 'object' && value !== null) return membersLooked(schema, value, seen, passes)
  return seen
}

type Passes = (schema: Schema | undefined, member: unknown) => boolean

/** What the subschemas for the same value have looked at; undefined when they refuse it. */
function subschemasInPlace(schema: Keywords, value: unknown, root: JsonSchema): Looked[] | undefined {
  const by = (each: Schema): Looked | undefined => looked(each, value, root)
  const taken = (list: readonly Schema[]): Looked[] => list.flatMap((each) => by(each) ?? [])
  const found: Looked[] = []
  const all: Schema[] = [...(schema.allOf ?? [])]
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/$defs/'.length)
    all.push(schema.$ref === '#' ? root : (root.$defs?.[name] ?? false))
  }
  if (schema.if !== undefined) {
    const condition = by(schema.if)
    if (condition) found.push(condition)
    const next = condition ? schema.then : schema.else
    if (next !== undefined) all.push(next)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const dependent = Object.entries(schema.dependentSchemas ?? {})
    all.push(...dependent.filter(([name]) => Object.hasOwn(value, name)).map(([, each]) => each))
  }
  const allTaken = taken(all)
  if (allTaken.length < all.length || (schema.not !== undefined && by(schema.not))) return undefined
  const [any, one] = [taken(schema.anyOf ?? []), taken(schema.oneOf ?? [])]
  if ((schema.anyOf && any.length === 0) || (schema.oneOf && one.length !== 1)) return undefined
  return [...found, ...allTaken, ...any, ...one]
}

/** The keywords that hold no schemas. */
function isAllowed(schema: Keywords, value: unknown): boolean {
  const { type, enum: listed } = schema
  const takesNull = schema.nullable === true && value === null
  if (type !== undefined && !takesNull && ![type].flat().some((each) => isOfType(value, each))) return false
  if ('const' in schema && !isSame(schema.const, value)) return false
  if (listed && !listed.some((each) => isSame(each, value))) return false
  if (typeof value === 'number') return isInBounds(schema, value)
  if (typeof value === 'string') {
    const matches = schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
    return matches && isBetween([...value].length, schema.minLength, schema.maxLength)
  }
  return true
}

function isInBounds(schema: Keywords, value: number): boolean {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return (
    isBetween(value, schema.minimum, schema.maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    // As Ajv decides it, and docs/validation.md says.
    (multipleOf === undefined || Number.parseInt(String(value / multipleOf), 10) === value / multipleOf)
  )
}

function isBetween(count: number, least: number = -Infinity, most: number = Infinity): boolean {
  return count >= least && count <= most
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

/** Negative zero is zero, as JSON text has it. */
function isSame(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)))
}

function itemsLooked(
  schema: Keywords,
  value: readonly unknown[],
  seen: Set<string>,
  passes: Passes,
): Looked | undefined {
  const { prefixItems = [], items, contains, minContains = 1, maxContains, unevaluatedItems } = schema
  if (!isBetween(value.length, schema.minItems, schema.maxItems)) return undefined
  if (schema.uniqueItems && value.some((each, at) => value.slice(0, at).some((other) => isSame(each, other))))
    return undefined
  let contained = 0
  for (const [index, item] of value.entries()) {
    const own = index < prefixItems.length ? prefixItems[index] : items
    if (!passes(own, item)) return undefined
    if (own !== undefined) seen.add(String(index))
    if (contains !== undefined && passes(contains, item)) {
      contained++
      seen.add(String(index))
    }
  }
  if (contains !== undefined && !isBetween(contained, minContains, maxContains)) return undefined
  return restLooked(unevaluatedItems, Object.entries(value), seen, passes)
}

function membersLooked(
  schema: Keywords,
  value: object,
  seen: Set<string>,
  passes: Passes,
): Looked | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = schema
  const members = Object.entries(value)
  if (!isBetween(members.length, schema.minProperties, schema.maxProperties)) return undefined
  const dependent = Object.entries(schema.dependentRequired ?? {}).filter(([name]) =>
    Object.hasOwn(value, name),
  )
  const needed = [...(schema.required ?? []), ...dependent.flatMap(([, names]) => names)]
  if (!needed.every((name) => Object.hasOwn(value, name))) return undefined
  for (const [name, member] of members) {
    const own: Schema[] = Object.entries(patternProperties)
      .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
      .map(([, each]) => each)
    if (Object.hasOwn(properties, name)) own.push(properties[name] as Schema)
    if (own.length === 0 && additionalProperties !== undefined) own.push(additionalProperties)
    if (!passes(propertyNames, name) || !own.every((each) => passes(each, member))) return undefined
    if (own.length > 0) seen.add(name)
  }
  return restLooked(schema.unevaluatedProperties, members, seen, passes)
}

function restLooked(
  schema: Schema | undefined,
  members: readonly (readonly [string, unknown])[],
  seen: Set<string>,
  passes: Passes,
): Looked | undefined {
  if (schema === undefined) return seen
  if (!members.every(([name, member]) => seen.has(name) || passes(schema, member))) return undefined
  return new Set(members.map(([name]) => name))
}
