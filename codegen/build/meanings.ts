import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { byCodeUnit, isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema } from '../../runtime/schema/schema-children.ts'

/** The text of a schema, and what its references lead to, in an order that depends on the text alone. */
interface Facts {
  readonly text: string
  readonly targets: readonly JsonSchema[]
}

/**
 * Compares schemas by what they mean. Their texts do not suffice: `{ "$ref": "Leaf" }` in two schemas can lead to different ones,
 * as in `Type.Cyclic({ Node, Leaf: Type.String() }, 'Node')` and the same with a number.
 */
export class Meanings {
  readonly #targets: ReadonlyMap<JsonSchema, JsonSchema>
  readonly #facts = new Map<JsonSchema, Facts>()

  /** @param targets The target of each schema with a `$ref`. */
  constructor(targets: ReadonlyMap<JsonSchema, JsonSchema>) {
    this.#targets = targets
  }

  /** Returns a text that two schemas share only if they, and all that they refer to, say the same. */
  of(schema: JsonSchema): string {
    const indexes = new Map([[schema, 0]])
    const indexOf = (target: JsonSchema): number => {
      const index = indexes.get(target) ?? indexes.size
      indexes.set(target, index)
      return index
    }
    const parts: string[] = []
    // Iterating a Map also visits what is added meanwhile.
    for (const each of indexes.keys()) {
      const { text, targets } = this.#factsOf(each)
      parts.push(targets.length > 0 ? `${text} ${targets.map(indexOf)}` : text)
    }
    return parts.join('\n')
  }

  areSame(left: JsonSchema, right: JsonSchema): boolean {
    return (
      left === right ||
      (this.#factsOf(left).text === this.#factsOf(right).text && this.of(left) === this.of(right))
    )
  }

  #factsOf(schema: JsonSchema): Facts {
    const known = this.#facts.get(schema)
    if (known) return known
    const references = this.#referencesIn(schema, '').sort(([left], [right]) => byCodeUnit(left, right))
    const facts = { text: canonicalJson(schema), targets: references.map(([, target]) => target) }
    this.#facts.set(schema, facts)
    return facts
  }

  #referencesIn(
    schema: Schema,
    pointer: string,
    found: [pointer: string, target: JsonSchema][] = [],
  ): [pointer: string, target: JsonSchema][] {
    if (!isJsonObject(schema)) return found
    const target = this.#targets.get(schema)
    if (target) found.push([pointer, target])
    forEachChildSchema(schema, (child, keyword, key) => {
      this.#referencesIn(child, pointer + childPointer(keyword, key), found)
    })
    return found
  }
}
