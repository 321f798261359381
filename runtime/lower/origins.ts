import { objectSchema } from '../schema/object-schema.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { childPointer, mapChildSchemas } from '../schema/schema-children.ts'

/** The declaration of a keyword: the JSON pointer of its schema, and its name there. */
export interface Declared {
  readonly pointer: string
  readonly keyword: string
}

/** Keywords whose subschemas are lowered. Any other keyword is kept as a whole, or described. */
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

/** Keywords whose boolean value states whether more properties or items are allowed; the lowering handles it as such. */
const extra = new Set(['additionalProperties', 'unevaluatedProperties', 'items', 'additionalItems'])

/**
 * Tracks where each keyword of a schema was declared. A node that was merged from several has keywords from several places, and a
 * loss must name the place that its author wrote.
 */
export class Origins {
  readonly #places = new WeakMap<JsonSchema, string>()
  readonly #keywords = new WeakMap<JsonSchema, Map<string, readonly Declared[]>>()

  /** Copies a declared schema, so that each node is a distinct object with a known origin. */
  locate(schema: Schema, pointer: string): JsonSchema {
    // A boolean has no identity to attach an origin to; these objects mean the same.
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

  /** Returns where `keyword` of `node` was declared. */
  of(node: JsonSchema, keyword: string): readonly Declared[] {
    return this.#keywords.get(node)?.get(keyword) ?? [{ pointer: this.place(node), keyword }]
  }

  /** Returns where the node was declared. */
  place(node: JsonSchema): string {
    return this.#places.get(node) ?? ''
  }

  /** Records that `node` was made from `sources`: each of its keywords comes from those that have it. */
  derive<Node extends JsonSchema>(node: Node, ...sources: readonly JsonSchema[]): Node {
    const keywords = new Map<string, readonly Declared[]>()
    for (const source of sources) {
      for (const keyword of Object.keys(source)) {
        if (!Object.hasOwn(node, keyword)) continue
        const known = keywords.get(keyword)
        const more = this.of(source, keyword)
        keywords.set(keyword, known ? withoutRepeats([...known, ...more]) : more)
      }
    }
    const first = sources[0]
    if (first) this.#places.set(node, this.place(first))
    this.#keywords.set(node, keywords)
    return node
  }

  /** Copies a schema that occurs in two places: each keyword in it, at any depth, comes from both. */
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

  /** Records that a keyword of a node was renamed; a loss names the declared one. */
  respell(node: JsonSchema, keyword: string, name: string): JsonSchema {
    const { [keyword]: value, ...rest } = node
    const respelt = this.derive({ ...rest, [name]: value } as JsonSchema, node)
    this.#keywords.get(respelt)?.set(name, this.of(node, keyword))
    return respelt
  }
}

function withoutRepeats(places: readonly Declared[]): readonly Declared[] {
  const byText = new Map(places.map((place) => [`${place.keyword} ${place.pointer}`, place]))
  return byText.size === places.length ? places : [...byText.values()]
}

/** Rewrites a draft-07 tuple, which is TypeBox's form, as 2020-12. Its items keep their origins. */
function withPrefixItems(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return schema
  const { items, additionalItems, ...rest } = schema
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems !== undefined && { items: additionalItems }),
  } as JsonSchema
}
