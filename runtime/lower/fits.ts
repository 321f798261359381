import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { definitionName } from '../schema/schema-children.ts'
import { type CodecScope, deepestValue } from './codec.ts'

/**
 * True when a value could have been answered under a lowered schema. Lowered schemas hold few keywords, all of which
 * are looked at except `format`; it decides which branch of a union a value came from, and nothing else.
 */
export function fits(schema: Schema, value: unknown, scope: CodecScope, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema
  if (depth > deepestValue) return true
  if (schema.$ref !== undefined) {
    const target = scope.definitions.get(definitionName(schema.$ref) ?? '')
    if (target && !fits(target.schema, value, scope, depth + 1)) return false
  }
  return (
    fitsType(schema.type, value) &&
    fitsConstant(schema, value, scope) &&
    (schema.anyOf === undefined || schema.anyOf.some((branch) => fits(branch, value, scope, depth + 1))) &&
    (typeof value !== 'string' || fitsString(schema, value)) &&
    (typeof value !== 'number' || fitsNumber(schema, value)) &&
    (!Array.isArray(value) || fitsArray(schema, value, scope, depth)) &&
    (!isJsonObject(value) || fitsObject(schema, value, scope, depth))
  )
}

/**
 * True when a value is of the kind that a lowered schema describes, whatever else is wrong with it: an object with the
 * same fixed fields, or a value of the same type. The best guess for an answer that fits no branch.
 */
export function resembles(schema: JsonSchema, value: unknown, scope: CodecScope): boolean {
  const target = scope.definitions.get(definitionName(schema.$ref) ?? '')
  if (target) return resembles(target.schema, value, scope)
  if (!fitsType(schema.type, value) || !fitsConstant(schema, value, scope)) return false
  if (!isJsonObject(value)) return true
  return Object.entries(schema.properties ?? {}).every(
    ([name, child]) => !isJsonObject(child) || fitsConstant({ const: child.const }, own(value, name), scope),
  )
}

function fitsType(type: JsonSchema['type'], value: unknown): boolean {
  if (type === undefined) return true
  return Array.isArray(type) ? type.some((one) => isOfType(one, value)) : isOfType(type, value)
}

/** JSON Schema's types; `1.0` is an integer. */
export function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  if (type === 'integer') return Number.isInteger(value)
  // The other names of JSON Schema are those of `typeof`.
  return typeof value === type
}

function fitsConstant(schema: JsonSchema, value: unknown, { ignoreCapitals }: CodecScope): boolean {
  const allowed = schema.const === undefined ? schema.enum : [schema.const]
  if (allowed === undefined) return true
  if (allowed.includes(value)) return true
  if (!ignoreCapitals || typeof value !== 'string') return false
  return allowed.some((entry) => typeof entry === 'string' && entry.toLowerCase() === value.toLowerCase())
}

function fitsString(schema: JsonSchema, value: string): boolean {
  const { minLength, maxLength, pattern } = schema
  if (typeof minLength === 'number' || typeof maxLength === 'number') {
    const length = [...value].length
    if (length < Number(minLength ?? 0) || length > Number(maxLength ?? Number.POSITIVE_INFINITY))
      return false
  }
  return typeof pattern !== 'string' || matches(pattern, value)
}

/** Tests a pattern as Ajv does. One that this engine cannot read decides nothing. */
export function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

function fitsNumber(schema: JsonSchema, value: number): boolean {
  const bound = (keyword: string, otherwise: number): number => Number(own(schema, keyword) ?? otherwise)
  if (
    value < bound('minimum', Number.NEGATIVE_INFINITY) ||
    value > bound('maximum', Number.POSITIVE_INFINITY)
  ) {
    return false
  }
  if (schema.exclusiveMinimum !== undefined && value <= Number(schema.exclusiveMinimum)) return false
  if (schema.exclusiveMaximum !== undefined && value >= Number(schema.exclusiveMaximum)) return false
  return schema.multipleOf === undefined || Number.isInteger(value / Number(schema.multipleOf))
}

function fitsArray(schema: JsonSchema, value: unknown[], scope: CodecScope, depth: number): boolean {
  if (value.length < Number(schema.minItems ?? 0)) return false
  if (value.length > Number(schema.maxItems ?? Number.POSITIVE_INFINITY)) return false
  const first = schema.prefixItems ?? []
  const items = Array.isArray(schema.items) ? undefined : schema.items
  return value.every((entry, index) => fits(first[index] ?? items ?? true, entry, scope, depth + 1))
}

function fitsObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  scope: CodecScope,
  depth: number,
): boolean {
  const properties = schema.properties ?? {}
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) return false
  const size = Object.keys(value).length
  if (size < Number(schema.minProperties ?? 0)) return false
  if (size > Number(schema.maxProperties ?? Number.POSITIVE_INFINITY)) return false
  return Object.entries(value).every(([name, entry]) => {
    const child = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
    return child === undefined || fits(child, entry, scope, depth + 1)
  })
}
