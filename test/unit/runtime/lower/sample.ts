import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { formats, matching, type Random } from './random-schema.ts'

/** Thrown where a schema allows nothing; callers try another value. */
export class Impossible extends Error {}

/**
 * A value that has a good chance to be valid. Callers check it: keywords such as `not`, and constraints that work
 * against each other, are left to luck.
 */
export function sample(schema: Schema, root: JsonSchema, random: Random, depth = 0): unknown {
  if (schema === true) return random.pick<unknown>([1, 'text', null, { a: 1 }, [true]])
  if (schema === false || depth > 12) throw new Impossible()
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')]
    if (target === undefined) throw new Impossible()
    const { $ref, ...beside } = schema
    return sample(typeof target === 'boolean' ? target : { ...target, ...beside }, root, random, depth + 1)
  }
  if (schema.allOf) return merged(schema, root, random, depth)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) {
    const { anyOf, oneOf, ...rest } = schema
    const branch = pickShallow(branches, random, depth)
    return sample(
      typeof branch === 'boolean' ? branch : { ...rest, ...branch, ...both(rest, branch) },
      root,
      random,
      depth + 1,
    )
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) {
    if (schema.enum.length === 0) throw new Impossible()
    return random.pick(schema.enum.map((value) => ({ value }))).value
  }
  if (schema.not !== undefined && JSON.stringify(schema.not) === '{}') throw new Impossible()
  return ofType(schema, root, random, depth)
}

function both(left: JsonSchema, right: JsonSchema): JsonSchema {
  return {
    ...((left.properties || right.properties) && { properties: { ...left.properties, ...right.properties } }),
    ...((left.required || right.required) && {
      required: [...(left.required ?? []), ...(right.required ?? [])],
    }),
  }
}

function merged(schema: JsonSchema, root: JsonSchema, random: Random, depth: number): unknown {
  let all: JsonSchema = { ...schema }
  delete all.allOf
  for (const part of schema.allOf ?? []) {
    const target =
      typeof part === 'object' && part.$ref ? root.$defs?.[part.$ref.replace('#/$defs/', '')] : part
    if (typeof target === 'object') all = { ...all, ...target, ...both(all, target) }
  }
  return sample(all, root, random, depth + 1)
}

/** Deep down the branch without references is taken, so that recursive values end. */
function pickShallow(branches: readonly Schema[], random: Random, depth: number): Schema {
  const plain = branches.filter((branch) => !JSON.stringify(branch).includes('$ref'))
  return random.pick((depth > 5 && plain.length > 0 ? plain : branches).map((branch) => ({ branch }))).branch
}

function ofType(schema: JsonSchema, root: JsonSchema, random: Random, depth: number): unknown {
  const implied = schema.properties ? 'object' : schema.prefixItems || schema.items ? 'array' : undefined
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : (schema.type ?? implied)
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
      return random.below(8)
    case 'number':
      return random.chance(0.5) ? random.below(8) : random.below(80) / 10
    case 'string':
      return string(schema, random)
    case 'array':
      return list(schema, root, random, depth)
    case 'object':
      return object(schema, root, random, depth)
    default:
      return sample(true, root, random, depth)
  }
}

function string({ format, pattern, minLength, maxLength }: JsonSchema, random: Random): string {
  if (format !== undefined) return random.pick(formats[String(format)] ?? ['?'])
  if (pattern !== undefined) return random.pick(matching[String(pattern)] ?? ['?'])
  const length = Number(minLength ?? 0) + random.below(3)
  return random
    .pick(['x', 'Red', 'null', '12', '"q"', '†a', ''])
    .padEnd(length, 'z')
    .slice(0, Math.min(Number(maxLength ?? 99), 40))
}

function list(schema: JsonSchema, root: JsonSchema, random: Random, depth: number): unknown[] {
  const first = schema.prefixItems ?? []
  const fewest = Number(schema.minItems ?? 0)
  const most = Math.min(
    Number(schema.maxItems ?? 4),
    schema.items === false ? first.length : depth > 5 ? fewest : Math.max(fewest, first.length + 1),
  )
  const length = fewest + random.below(Math.max(0, most - fewest) + 1)
  const items = schema.items === undefined || Array.isArray(schema.items) ? true : schema.items
  return Array.from({ length }, (_, index) => sample(first[index] ?? items, root, random, depth + 1))
}

function object(schema: JsonSchema, root: JsonSchema, random: Random, depth: number): unknown {
  const value: [string, unknown][] = []
  const {
    properties = {},
    required = [],
    additionalProperties,
    patternProperties = {},
    propertyNames,
  } = schema
  for (const [name, child] of Object.entries(properties)) {
    const isRequired = required.includes(name)
    if (!isRequired && random.chance(depth > 5 ? 1 : 0.4)) continue
    try {
      value.push([name, sample(child, root, random, depth + 1)])
    } catch (error) {
      if (isRequired || !(error instanceof Impossible)) throw error
    }
  }
  for (const name of required) {
    if (!Object.hasOwn(properties, name)) {
      value.push([
        name,
        sample(
          typeof additionalProperties === 'object' ? additionalProperties : true,
          root,
          random,
          depth + 1,
        ),
      ])
    }
  }
  // Keys that are free because a schema does not close itself are not tried: dialects close such objects (a loss).
  const isFree =
    Object.keys(properties).length === 0 &&
    required.length === 0 &&
    Object.keys(patternProperties).length === 0
  const extra = additionalProperties ?? (isFree && schema.properties === undefined ? true : undefined)
  for (let count = random.below(3); count > 0; count--) {
    const [pattern, byPattern] = Object.entries(patternProperties)[0] ?? []
    const keys = propertyNames ? ['k1', 'k2'] : ['k1', 'k22', 'zz', '__proto__', 'key', 'Sharp']
    const key = random.pick(
      pattern === undefined || pattern === '^.*$' ? keys : (matching[pattern] ?? ['k1']),
    )
    const child = byPattern ?? extra
    if (child === undefined || Object.hasOwn(properties, key) || value.some(([name]) => name === key))
      continue
    try {
      value.push([key, sample(child, root, random, depth + 1)])
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
    }
  }
  return Object.fromEntries(value)
}
