import { keywordNames, wording } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'

/** Members that a schema shares with the clones that `Type.Optional`, `Type.With` and the like make of it. */
const carriers = ['enum', ...keywordNames(({ place }) => place === 'list' || place === 'map')]

/**
 * Recognises schemas that were one object in the definitions (TOOL-7): the object itself, and the shallow clones that
 * TypeBox makes to mark or to annotate it.
 */
export class SameSchema {
  readonly #byCarrier = new Map<unknown, JsonSchema[]>()
  readonly #known = new Map<JsonSchema, JsonSchema>()

  /** The schema that stands for all that are the same as this one: the first that was asked for. */
  of(schema: JsonSchema): JsonSchema {
    const known = this.#known.get(schema)
    if (known) return known
    const carrier = carrierOf(schema)
    const clones = carrier === undefined ? [] : (this.#byCarrier.get(carrier) ?? [])
    const first = clones.find((clone) => constrainsAlike(clone, schema)) ?? schema
    if (carrier !== undefined && first === schema) this.#byCarrier.set(carrier, [...clones, schema])
    this.#known.set(schema, first)
    return first
  }
}

function carrierOf(schema: JsonSchema): unknown {
  for (const keyword of carriers) if (schema[keyword] !== undefined) return schema[keyword]
  return undefined
}

function constrainsAlike(left: JsonSchema, right: JsonSchema): boolean {
  const [keys, others] = [left, right].map((schema) =>
    Object.keys(schema).filter((keyword) => !wording.includes(keyword)),
  ) as [string[], string[]]
  return keys.length === others.length && keys.every((keyword) => isSame(left[keyword], right[keyword]))
}

/** Lists of names are copied by clones, everything else is handed on. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((item, index) => typeof item !== 'object' && item === right[index])
}
