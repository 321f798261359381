import { canonicalJson } from '../json/canonical-json.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { typeOf } from './nullable.ts'

/** Looks up a definition; undefined if it is unknown. */
export type FindDefinition = (name: string) => JsonSchema | undefined

/** Deepest level of comparison: deeper ones cost more than they find. */
const deepestLook = 8

/** Most comparisons, since each can lead to two more per branch and property; beyond that, nothing counts as certain. */
const mostLooks = 1000

/** Most pairs that are compared: all pairs of 447 schemas. */
const mostPairs = 100_000

/**
 * True if certainly no value satisfies two of the schemas, so that `oneOf` and `anyOf` mean the same. Schemas distinguished by
 * fixed values or a tag take linear time; others are compared pairwise, up to a limit.
 */
export function areExclusive(schemas: readonly JsonSchema[], find: FindDefinition): boolean {
  const byType = new Map<string | undefined, JsonSchema[]>()
  for (const schema of schemas) {
    const types = new Set(typesOf(followed(schema, find)))
    const [type] = types.size === 1 ? types : []
    byType.set(type, [...(byType.get(type) ?? []), schema])
  }
  const mixed = byType.get(undefined) ?? []
  byType.delete(undefined)
  const groups = [...byType.values()].filter((group) => !areDistinguished(group, find))
  let pairs = mixed.length * schemas.length
  for (const { length } of groups) pairs += (length * length) / 2
  if (pairs > mostPairs) return false
  const isApart = (left: JsonSchema, right: JsonSchema): boolean =>
    left === right || isExclusive(left, right, find)
  return (
    mixed.every((left) => schemas.every((right) => isApart(left, right))) &&
    groups.every((group) =>
      group.every((left, index) => group.slice(index + 1).every((right) => isExclusive(left, right, find))),
    )
  )
}

/** True for schemas that list disjoint values, or that all require one property and fix it to disjoint values. */
function areDistinguished(schemas: readonly JsonSchema[], find: FindDefinition): boolean {
  const nodes = schemas.map((schema) => followed(schema, find))
  if (areDistinct(nodes.map(valuesOf))) return true
  return (nodes[0]?.required ?? []).some((name) =>
    areDistinct(
      nodes.map(({ required, properties }) => {
        const property = required?.includes(name) ? own(properties ?? {}, name) : undefined
        return isJsonObject(property) ? valuesOf(followed(property, find)) : undefined
      }),
    ),
  )
}

/** True if all lists are known and no value is in two of them. */
function areDistinct(lists: readonly (readonly unknown[] | undefined)[]): boolean {
  const seen = new Set<string>()
  return lists.every((list) => {
    const values = new Set(list?.map(canonicalJson))
    const isOther = list !== undefined && [...values].every((value) => !seen.has(value))
    for (const value of values) seen.add(value)
    return isOther
  })
}

/** True if certainly no value satisfies both schemas. */
export function isExclusive(left: Schema, right: Schema, find: FindDefinition): boolean {
  return isFoundExclusive(left, right, { find, left: mostLooks }, 0)
}

interface Looks {
  readonly find: FindDefinition
  /** Number of comparisons left. */
  left: number
}

function isFoundExclusive(left: Schema, right: Schema, looks: Looks, depth: number): boolean {
  if (left === false || right === false) return true
  if (left === true || right === true || depth > deepestLook || --looks.left < 0) return false
  const { find } = looks
  const [a, b] = [followed(left, find), followed(right, find)]
  if (a.anyOf?.every((branch) => isFoundExclusive(branch, b, looks, depth + 1))) return true
  if (b.anyOf?.every((branch) => isFoundExclusive(a, branch, looks, depth + 1))) return true
  const [mine, theirs] = [typesOf(a), typesOf(b)]
  if (mine && theirs && !mine.some((type) => theirs.includes(type))) return true
  const [here, there] = [valuesOf(a), valuesOf(b)]
  if (here && there) return areDistinct([here, there])
  if (isOnly('array', mine) && isOnly('array', theirs)) return isLonger(a, b) || isLonger(b, a)
  if (!isOnly('object', mine) || !isOnly('object', theirs)) return false
  if (demandsForbidden(a, b) || demandsForbidden(b, a)) return true
  return (a.required ?? []).some((name) => {
    const [one, other] = [a.properties?.[name], b.properties?.[name]]
    if (!b.required?.includes(name) || !isJsonObject(one) || !isJsonObject(other)) return false
    return isFoundExclusive(one, other, looks, depth + 1)
  })
}

/** True if the shortest array of one schema is longer than the longest of the other. */
function isLonger(longer: JsonSchema, shorter: JsonSchema): boolean {
  return Number(longer.minItems ?? 0) > Number(shorter.maxItems ?? Number.POSITIVE_INFINITY)
}

/** True if one schema requires a property that the other, a closed one, does not declare. */
function demandsForbidden(demanding: JsonSchema, other: JsonSchema): boolean {
  if (other.additionalProperties !== false || other.patternProperties) return false
  return (demanding.required ?? []).some((name) => !Object.hasOwn(other.properties ?? {}, name))
}

/** Resolves a reference. Keywords next to `$ref` are ignored: they could only exclude more values. */
function followed(schema: JsonSchema, find: FindDefinition): JsonSchema {
  let node = schema
  for (let steps = 0; steps < deepestLook; steps++) {
    const name = definitionName(node.$ref)
    const target = name === undefined ? undefined : find(name)
    if (!target) return node
    node = target
  }
  return node
}

function isOnly(type: string, types: readonly string[] | undefined): boolean {
  return types?.length === 1 && types[0] === type
}

function typesOf(schema: JsonSchema): string[] | undefined {
  const { type } = schema
  const types = type === undefined ? valuesOf(schema)?.map(typeOf) : Array.isArray(type) ? type : [type]
  return types?.map((name) => (name === 'integer' ? 'number' : name))
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const]
}
