import type { JsonSchema } from '../schema/schema.ts'
import type { Origins } from './origins.ts'

/** Keywords whose schemas look at properties of the same object. */
const inPlace = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', 'not']

/**
 * Says by `additionalProperties` what `unevaluatedProperties` says of a schema without others in place. Undefined where
 * such are left, since it depends on them.
 */
export function withoutUnevaluated(node: JsonSchema, origins: Origins): JsonSchema | undefined {
  if (node.unevaluatedProperties === undefined) return node
  // Whoever has that keyword has looked at every property.
  if (node.additionalProperties !== undefined) {
    const { unevaluatedProperties, ...rest } = node
    return origins.derive(rest as JsonSchema, node)
  }
  return inPlace.some((keyword) => node[keyword] !== undefined)
    ? undefined
    : origins.respell(node, 'unevaluatedProperties', 'additionalProperties')
}

/**
 * Merges a schema with what stands in it for the same object: its `unevaluatedProperties` sees all of that, so it stays
 * out of the merge and beside the result.
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
