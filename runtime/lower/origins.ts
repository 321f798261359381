import { objectSchema } from '../schema/object-schema.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, mapChildSchemas } from '../schema/schema-children.ts'

/** Keywords whose schemas are lowered themselves. A dialect takes any other whole, or puts it into words. */
const lowered = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  '$defs',
  'definitions',
])

/**
 * Where each keyword of a schema was declared. A node that was merged from several has keywords of several places, and
 * a loss must still name the place that the reader wrote.
 */
export class Origins {
  readonly #places = new WeakMap<JsonSchema, string>()
  readonly #keywords = new WeakMap<JsonSchema, Map<string, readonly string[]>>()

  /** Copies a declared schema, so that each node is an object of its own with a known place. */
  locate(schema: Schema, pointer: string): JsonSchema {
    // A boolean schema has no identity to hang a place on; these mean the same.
    const located =
      typeof schema === 'boolean'
        ? objectSchema(schema)
        : mapChildSchemas(schema, (child, keyword, key) => {
            // Booleans here are a closed or open list, which the engine reads as such.
            if (!lowered.has(keyword)) return child
            const isExtra =
              keyword === 'additionalProperties' || keyword === 'items' || keyword === 'additionalItems'
            if (isExtra && typeof child === 'boolean' && key === undefined) return child
            return this.locate(child, `${pointer}${childPointer(keyword, key)}`)
          })
    const copy = withPrefixItems(located)
    this.#places.set(copy, pointer)
    return copy
  }

  /** Where `keyword` of `node` was declared: JSON pointers of the schemas that hold it. */
  of(node: JsonSchema, keyword: string): readonly string[] {
    return this.#keywords.get(node)?.get(keyword) ?? [this.#places.get(node) ?? '']
  }

  /** Where the node itself stands. */
  place(node: JsonSchema): string {
    return this.#places.get(node) ?? ''
  }

  /** Says that `node` was made from `sources`: each of its keywords comes from those that have it. */
  derive<Node extends JsonSchema>(node: Node, ...sources: readonly JsonSchema[]): Node {
    const keywords = new Map<string, readonly string[]>()
    for (const source of sources) {
      for (const keyword of Object.keys(source)) {
        if (!Object.hasOwn(node, keyword)) continue
        const known = keywords.get(keyword) ?? []
        keywords.set(keyword, [...new Set([...known, ...this.of(source, keyword)])])
      }
    }
    const first = sources[0]
    if (first) this.#places.set(node, this.place(first))
    this.#keywords.set(node, keywords)
    return node
  }
}

/** Spells a draft-07 tuple, which is what TypeBox makes, as 2020-12 does. Its items keep the places they were read at. */
function withPrefixItems(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return schema
  const { items, additionalItems, ...rest } = schema
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems !== undefined && { items: additionalItems }),
  } as JsonSchema
}
