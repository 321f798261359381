import type { JsonSchema } from '../schema/schema.ts'
import type { Origins } from './origins.ts'

/** Keywords whose subschemas evaluate properties of the same object. */
const inPlace = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', 'not']

/**
 * Replaces `unevaluatedProperties` by `additionalProperties`, which is equivalent in a schema without subschemas for the same
 * object. Undefined if there are such subschemas.
 */
export function withoutUnevaluated(node: JsonSchema, origins: Origins): JsonSchema | undefined {
  if (node.unevaluatedProperties === undefined) return node
  // A schema with that keyword has evaluated every property.
  if (node.additionalProperties !== undefined) {
    const { unevaluatedProperties, ...rest } = node
    return origins.derive(rest as JsonSchema, node)
  }
  return inPlace.some((keyword) => node[keyword] !== undefined)
    ? undefined
    : origins.respell(node, 'unevaluatedProperties', 'additionalProperties')
}

/**
 * Merges a schema with its subschemas for the same object. Its `unevaluatedProperties` sees all of them, so it is kept out of the
 * merge and added to the result.
 */
export function besideUnevaluated(
  node: JsonSchema,
  origins: Origins,
  merge: (rest: JsonSchema) => JsonSchema | undefined,
): JsonSchema | undefined {
  const { unevaluatedProperties, ...rest } = node
  if (unevaluatedProperties === undefined) return merge(node)
  const merged = merge(origins.derive(rest as JsonSchema, node))
  return merged && origins.derive({ ...merged, unevaluatedProperties }, merged, node)
}
