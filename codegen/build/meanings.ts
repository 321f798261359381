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
  /** Of schemas that were found to be the same, another one of them; the last in the chain stands for all. */
  readonly #known = new Map<JsonSchema, JsonSchema>()

  /** @param targets The target of each schema with a `$ref`. */
  constructor(targets: ReadonlyMap<JsonSchema, JsonSchema>) {
    this.#targets = targets
  }

  /** True if two schemas, and all that they refer to, say the same. */
  areSame(left: JsonSchema, right: JsonSchema): boolean {
    const pairs: [JsonSchema, JsonSchema][] = [[left, right]]
    const assumed = new Map<JsonSchema, Set<JsonSchema>>()
    // The list grows during the loop. A pair that comes again, in a cycle, is the same unless another pair differs.
    for (const [one, other] of pairs) {
      const [first, second] = [this.#representative(one), this.#representative(other)]
      if (first === second || assumed.get(first)?.has(second)) continue
      assumed.set(first, (assumed.get(first) ?? new Set()).add(second))
      const [mine, theirs] = [this.#factsOf(one), this.#factsOf(other)]
      if (mine.text !== theirs.text || mine.targets.length !== theirs.targets.length) return false
      mine.targets.forEach((target, index) => {
        pairs.push([target, theirs.targets[index] as JsonSchema]) // safe cast: of equal length
      })
    }
    for (const [one, other] of pairs) this.#join(one, other)
    return true
  }

  /** Returns a text that depends on what a schema, and all that it refers to, say, and on nothing else. */
  textOf(schema: JsonSchema): string {
    const indexes = new Map([[schema, 0]])
    const indexOf = (target: JsonSchema): number => {
      const index = indexes.get(target) ?? indexes.size
      indexes.set(target, index)
      return index
    }
    // Iterating a Map also visits what is added meanwhile.
    return Array.from(indexes.keys(), (each) => {
      const { text, targets } = this.#factsOf(each)
      return `${text} ${targets.map(indexOf)}`
    }).join('\n')
  }

  #representative(schema: JsonSchema): JsonSchema {
    let found = schema
    for (let next = this.#known.get(found); next !== undefined; next = this.#known.get(found)) found = next
    if (found !== schema) this.#known.set(schema, found)
    return found
  }

  #join(left: JsonSchema, right: JsonSchema): void {
    const [first, second] = [this.#representative(left), this.#representative(right)]
    if (first !== second) this.#known.set(second, first)
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
