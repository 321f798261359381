import { objectSchema } from '../schema/object-schema.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, mapChildSchemas } from '../schema/schema-children.ts'

/** A keyword where it was declared: JSON pointer of the schema that holds it, and its name there. */
export interface Declared {
  readonly pointer: string
  readonly keyword: string
}

/** Keywords whose schemas are lowered themselves. A dialect takes any other whole, or puts it into words. */
const lowered = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  '$defs',
  'definitions',
])

/** A boolean under these says whether there may be more, which the engine reads as such. */
const extra = new Set(['additionalProperties', 'unevaluatedProperties', 'items', 'additionalItems'])

/**
 * Where each keyword of a schema was declared. A node that was merged from several has keywords of several places, and
 * a loss must still name the place that the reader wrote.
 */
export class Origins {
  readonly #places = new WeakMap<JsonSchema, string>()
  readonly #keywords = new WeakMap<JsonSchema, Map<string, readonly Declared[]>>()

  /** Copies a declared schema, so that each node is an object of its own with a known place. */
  locate(schema: Schema, pointer: string): JsonSchema {
    // A boolean schema has no identity to hang a place on; these mean the same.
    const located =
      typeof schema === 'boolean'
        ? objectSchema(schema)
        : mapChildSchemas(schema, (child, keyword, key) => {
            if (!lowered.has(keyword)) return child
            if (extra.has(keyword) && typeof child === 'boolean' && key === undefined) return child
            return this.locate(child, `${pointer}${childPointer(keyword, key)}`)
          })
    const copy = withPrefixItems(located)
    this.#places.set(copy, pointer)
    return copy
  }

  /** Where `keyword` of `node` was declared. */
  of(node: JsonSchema, keyword: string): readonly Declared[] {
    return this.#keywords.get(node)?.get(keyword) ?? [{ pointer: this.place(node), keyword }]
  }

  /** Where the node itself stands. */
  place(node: JsonSchema): string {
    return this.#places.get(node) ?? ''
  }

  /** Says that `node` was made from `sources`: each of its keywords comes from those that have it. */
  derive<Node extends JsonSchema>(node: Node, ...sources: readonly JsonSchema[]): Node {
    const keywords = new Map<string, readonly Declared[]>()
    for (const source of sources) {
      for (const keyword of Object.keys(source)) {
        if (!Object.hasOwn(node, keyword)) continue
        const known = keywords.get(keyword) ?? []
        const more = this.of(source, keyword).filter((each) => !known.some((other) => isSame(each, other)))
        keywords.set(keyword, [...known, ...more])
      }
    }
    const first = sources[0]
    if (first) this.#places.set(node, this.place(first))
    this.#keywords.set(node, keywords)
    return node
  }

  /** A copy of a schema that is the same in two places: each keyword in it, at any depth, comes from both. */
  both(one: JsonSchema, same: JsonSchema): JsonSchema {
    const copy = mapChildSchemas(one, (child, keyword, key) => {
      const list = same[keyword] as Record<string, Schema> | Schema
      const other = key === undefined ? list : (list as Record<string, Schema>)[key]
      return typeof child === 'object' && typeof other === 'object'
        ? this.both(child, other as JsonSchema)
        : child
    })
    return this.derive(copy, one, same)
  }

  /** Gives a keyword of a node another name, under which it says the same; a loss names the declared one. */
  respell(node: JsonSchema, keyword: string, name: string): JsonSchema {
    const { [keyword]: value, ...rest } = node
    const respelt = this.derive({ ...rest, [name]: value } as JsonSchema, node)
    this.#keywords.get(respelt)?.set(name, this.of(node, keyword))
    return respelt
  }
}

function isSame(one: Declared, other: Declared): boolean {
  return one.pointer === other.pointer && one.keyword === other.keyword
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
