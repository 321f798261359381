import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { union } from './combine.ts'
import { type Member, neverNode, type ObjectNode, type TypeNode, unknownNode } from './type-node.ts'

type ReadSchema = (schema: Schema) => TypeNode

/**
 * Reads `properties`, `required`, `patternProperties` and `additionalProperties` as an object type.
 *
 * The type has an index signature only if the schema mentions further members. Otherwise TypeScript's structural types allow them
 * anyway, and a misspelt one in a literal is still reported.
 */
export function readObject(schema: JsonSchema, read: ReadSchema): TypeNode {
  const { properties = {} } = schema
  const required = new Set(schema.required)
  const further = readFurther(schema, read)
  const members: Member[] = []
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = required.has(name)
    const node = read(property)
    if (isRequired && node.kind === 'never') return neverNode
    const documents = typeof property === 'object' ? property : undefined
    members.push({ name, node, optional: !isRequired, documents })
  }
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue
    const node = further === 'unsaid' ? unknownNode : further
    if (node.kind === 'never') return neverNode
    members.push({ name, node, optional: false })
  }
  return withIndex(members, further)
}

/** Builds an object type with an index signature that its named members fit, as TypeScript requires. */
export function withIndex(members: readonly Member[], further: TypeNode | 'unsaid'): ObjectNode {
  if (further === 'unsaid') {
    return members.length > 0 ? { kind: 'object', members } : { kind: 'object', members, index: unknownNode }
  }
  if (further.kind === 'never') return { kind: 'object', members }
  return { kind: 'object', members, index: union([further, ...members.map(({ node }) => node)]) }
}

/** Returns the type of members that are not named; `'unsaid'` if the schema does not mention them. */
function readFurther(schema: JsonSchema, read: ReadSchema): TypeNode | 'unsaid' {
  const { additionalProperties, patternProperties = {} } = schema
  const patterns = Object.values(patternProperties)
  if (additionalProperties === undefined && patterns.length === 0) return 'unsaid'
  return union([read(additionalProperties ?? true), ...patterns.map(read)])
}
