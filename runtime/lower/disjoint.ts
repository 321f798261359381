import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { definitionName } from '../schema/schema-children.ts'
import type { Lowering } from './lowering.ts'
import { typeOf } from './nullable.ts'

/** True when it is certain that no value satisfies two of the schemas: then `oneOf` and `anyOf` mean the same. */
export function areDisjoint(schemas: readonly JsonSchema[], lowering: Lowering): boolean {
  const targets = schemas.map((schema) => followed(schema, lowering))
  return targets.every((left, index) =>
    targets.slice(index + 1).every((right) => exclude(left, right, lowering)),
  )
}

function exclude(left: JsonSchema, right: JsonSchema, lowering: Lowering): boolean {
  const [mine, theirs] = [typesOf(left), typesOf(right)]
  if (mine && theirs && !mine.some((type) => theirs.includes(type))) return true
  const [here, there] = [valuesOf(left), valuesOf(right)]
  if (here && there) return !here.some((value) => there.some((other) => isSameJson(value, other)))
  const isObject =
    mine?.length === 1 && mine[0] === 'object' && theirs?.length === 1 && theirs[0] === 'object'
  if (isObject && (demandsForbidden(left, right) || demandsForbidden(right, left))) return true
  return isObject && (left.required ?? []).some((name) => excludeBy(name, left, right, lowering))
}

/** One requires a property that the other, closed, does not have. */
function demandsForbidden(demanding: JsonSchema, other: JsonSchema): boolean {
  if (other.additionalProperties !== false || other.patternProperties) return false
  return (demanding.required ?? []).some((name) => !Object.hasOwn(other.properties ?? {}, name))
}

/** A property that both require and that can never be the same in both. */
function excludeBy(name: string, left: JsonSchema, right: JsonSchema, lowering: Lowering): boolean {
  const [mine, theirs] = [left.properties?.[name], right.properties?.[name]]
  if (!right.required?.includes(name) || !isJsonObject(mine) || !isJsonObject(theirs)) return false
  return exclude(followed(mine, lowering), followed(theirs, lowering), lowering)
}

function followed(schema: JsonSchema, lowering: Lowering): JsonSchema {
  const target = lowering.definition(definitionName(schema.$ref) ?? '')
  return target && Object.keys(schema).length === 1 ? target : schema
}

function typesOf(schema: JsonSchema): string[] | undefined {
  const { type } = schema
  const types = type === undefined ? valuesOf(schema)?.map(typeOf) : Array.isArray(type) ? type : [type]
  return types?.map((name) => (name === 'integer' ? 'number' : name))
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const]
}
