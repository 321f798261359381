import { definitionName } from '../json/definition-reference.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Lowered, Lowering } from './lowering.ts'

/** Keywords that stay outside when a schema becomes a branch of a union. */
const outside = ['title', 'description'] as const

/**
 * Lowers an optional property for a dialect that requires every property: null represents an absent value. If null has a meaning
 * of its own (`clear this field`, as opposed to `leave it alone`), an object with one property represents it.
 */
export function optionalForm(
  declared: JsonSchema,
  { schema, value }: Lowered,
  lowering: Lowering,
): Lowered & { absent: 'null' | 'marker' } {
  if (!acceptsNull(schema, lowering)) {
    return { schema: orNull(schema), value, absent: 'null' }
  }
  lowering.standIn(declared, 'marker')
  const marker = lowering.marker()
  const absent: JsonSchema = {
    type: 'object',
    description: 'Leaves this out; null is a value of its own.',
    properties: { [marker]: { type: 'boolean', const: true } },
    required: [marker],
    additionalProperties: false,
  }
  const { outer, inner } = split(schema)
  return {
    schema: { ...outer, anyOf: [...(onlyUnion(inner) ?? [inner]), absent] },
    value,
    absent: 'marker',
  }
}

/** Makes a schema nullable. */
function orNull(schema: JsonSchema): JsonSchema {
  if (
    schema.const === undefined &&
    schema.anyOf === undefined &&
    schema.type !== undefined &&
    !isObject(schema)
  ) {
    const { type, ...rest } = schema
    return {
      type: [...(Array.isArray(type) ? type : [type as string]), 'null'],
      ...rest,
      ...(schema.enum && { enum: [...schema.enum, null] }),
    }
  }
  const { outer, inner } = split(schema)
  return { ...outer, anyOf: [...(onlyUnion(inner) ?? [inner]), { type: 'null' }] }
}

function isObject({ type }: JsonSchema): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** Separates the keywords that stay on the union from those of the branch. */
function split(schema: JsonSchema): { outer: JsonSchema; inner: JsonSchema } {
  const outer: JsonSchema = {}
  const inner = { ...schema }
  for (const keyword of outside) {
    if (schema[keyword] === undefined) continue
    outer[keyword] = schema[keyword]
    delete inner[keyword]
  }
  return { outer, inner }
}

/** Returns the branches of a schema that is only a union. */
export function onlyUnion(schema: JsonSchema): JsonSchema[] | undefined {
  return schema.anyOf && Object.keys(schema).length === 1 ? (schema.anyOf as JsonSchema[]) : undefined
}

/** True if a lowered schema accepts null. */
function acceptsNull(schema: JsonSchema, lowering: Lowering): boolean {
  return acceptsType(schema, 'null', lowering)
}

/** True if a lowered schema accepts some value of `type`. */
function acceptsType(schema: JsonSchema, type: string, lowering: Lowering): boolean {
  return accepts(schema, type, lowering, new Set())
}

function accepts(schema: JsonSchema, type: string, lowering: Lowering, seen: Set<string>): boolean {
  const name = definitionName(schema.$ref)
  if (name !== undefined) {
    if (seen.has(name)) return false
    seen.add(name)
    // For a definition that is still being lowered, its declared schema decides.
    const target = lowering.lowered(name)?.schema ?? lowering.definition(name)
    return target ? accepts(target, type, lowering, seen) : true
  }
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) {
    return branches.some((branch) => typeof branch !== 'boolean' && accepts(branch, type, lowering, seen))
  }
  if (schema.const !== undefined) return typeOf(schema.const) === type
  if (schema.enum) return schema.enum.some((value) => typeOf(value) === type)
  if (schema.type === undefined) return true
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type
}

/** Returns the JSON Schema type of a value; `number` for whole numbers too. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
