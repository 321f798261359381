import { canonicalJson } from '../json/canonical-json.ts'
import { byCodeUnit, isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { childPointer, mapChildSchemas } from './schema-children.ts'
import type { TargetOf } from './target-of.ts'

/** The text of a schema without its references, and what these lead to, in an order that depends on the text alone. */
interface Facts {
  readonly text: string
  readonly targets: readonly JsonSchema[]
}

/**
 * Compares schemas by what they mean. Their texts do not suffice: `{ "$ref": "Leaf" }` in two schemas can lead to different ones,
 * as in `Type.Cyclic({ Node, Leaf: Type.String() }, 'Node')` and the same with a number.
 */
export class Meanings {
  readonly #targetOf: TargetOf
  readonly #facts = new Map<JsonSchema, Facts>()
  /** Schemas that were found to say the same as another one, which is the key. */
  readonly #same = new Map<JsonSchema, Set<JsonSchema>>()

  constructor(targetOf: TargetOf) {
    this.#targetOf = targetOf
  }

  /** True if two schemas, and all that they refer to, say the same. */
  areSame(left: JsonSchema, right: JsonSchema): boolean {
    const pairs = [[left, right] as const]
    const assumed: (() => void)[] = []
    // The list grows during the loop. A pair that comes again, in a cycle, is the same unless another pair differs.
    for (const [one, other] of pairs) {
      const same = this.#same.get(one) ?? new Set()
      if (one === other || same.has(other)) continue
      this.#same.set(one, same.add(other))
      assumed.push(() => same.delete(other))
      const [mine, theirs] = [this.factsOf(one), this.factsOf(other)]
      if (mine.text !== theirs.text || mine.targets.length !== theirs.targets.length) {
        for (const forget of assumed) forget()
        return false
      }
      mine.targets.forEach((target, index) => {
        pairs.push([target, theirs.targets[index] as JsonSchema]) // safe cast: of equal length
      })
    }
    return true
  }

  /** Returns the facts about a schema, which are computed once. */
  factsOf(schema: JsonSchema): Facts {
    const known = this.#facts.get(schema)
    if (known) return known
    const references: [pointer: string, target: JsonSchema][] = []
    const blank = (part: Schema, pointer: string): Schema => {
      if (!isJsonObject(part)) return part
      const target = this.#targetOf(part)
      if (target) references.push([pointer, target])
      const copy = mapChildSchemas(part, (child, keyword, key) =>
        blank(child, pointer + childPointer(keyword, key)),
      )
      return target ? { ...copy, $ref: '' } : copy
    }
    const text = canonicalJson(blank(schema, ''))
    references.sort(([left], [right]) => byCodeUnit(left, right))
    const facts = { text, targets: references.map(([, target]) => target) }
    this.#facts.set(schema, facts)
    return facts
  }
}
