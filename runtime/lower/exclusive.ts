import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { typeOf } from './nullable.ts'

/** Looks a definition up; undefined for one that is not known. */
export type FindDefinition = (name: string) => JsonSchema | undefined

/** Deeper looks cost more than they find. */
const deepestLook = 8

/** Each look can lead to two others for each branch and property; after so many, nothing is certain. */
const mostLooks = 1000

/** True when it is certain that no value satisfies two of the schemas: then `oneOf` and `anyOf` mean the same. */
export function areExclusive(schemas: readonly JsonSchema[], find: FindDefinition): boolean {
  return schemas.every((left, index) =>
    schemas.slice(index + 1).every((right) => isExclusive(left, right, find)),
  )
}

/** True when it is certain that no value satisfies both schemas. */
export function isExclusive(left: Schema, right: Schema, find: FindDefinition): boolean {
  return isFoundExclusive(left, right, { find, left: mostLooks }, 0)
}

interface Looks {
  readonly find: FindDefinition
  /** How many more there may be. */
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
  if (here && there) return !here.some((value) => there.some((other) => isSameJson(value, other)))
  if (isOnly('array', mine) && isOnly('array', theirs)) return isLonger(a, b) || isLonger(b, a)
  if (!isOnly('object', mine) || !isOnly('object', theirs)) return false
  if (demandsForbidden(a, b) || demandsForbidden(b, a)) return true
  return (a.required ?? []).some((name) => {
    const [one, other] = [a.properties?.[name], b.properties?.[name]]
    if (!b.required?.includes(name) || !isJsonObject(one) || !isJsonObject(other)) return false
    return isFoundExclusive(one, other, looks, depth + 1)
  })
}

/** The shortest list of one is longer than the longest of the other. */
function isLonger(longer: JsonSchema, shorter: JsonSchema): boolean {
  return Number(longer.minItems ?? 0) > Number(shorter.maxItems ?? Number.POSITIVE_INFINITY)
}

/** One requires a property that the other, closed, does not have. */
function demandsForbidden(demanding: JsonSchema, other: JsonSchema): boolean {
  if (other.additionalProperties !== false || other.patternProperties) return false
  return (demanding.required ?? []).some((name) => !Object.hasOwn(other.properties ?? {}, name))
}

/** The definition that a reference leads to; what stands beside `$ref` could only exclude more. */
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
