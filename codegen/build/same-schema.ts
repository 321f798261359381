import { keywordNames, wording } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'

/** Members that a schema shares with its clones by `Type.Optional`, `Type.With` and the like. */
const carriers = ['enum', ...keywordNames(({ place }) => place === 'list' || place === 'map')]

/**
 * Recognises schemas that are one object in the definitions (TOOL-7): the object itself, and the shallow clones that
 * TypeBox makes to mark or annotate it.
 */
export class SameSchema {
  readonly #byCarrier = new Map<unknown, JsonSchema[]>()
  readonly #known = new Map<JsonSchema, JsonSchema>()

  /** Returns the representative of all schemas that are the same as this one: the first that was passed in. */
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
  // Where a reference leads depends on where the clone stands.
  if (schema.$ref !== undefined) return undefined
  for (const keyword of carriers) if (schema[keyword] !== undefined) return schema[keyword]
  return undefined
}

function constrainsAlike(left: JsonSchema, right: JsonSchema): boolean {
  const [keys, others] = [left, right].map((schema) =>
    Object.keys(schema).filter((keyword) => !wording.includes(keyword)),
  ) as [string[], string[]]
  return keys.length === others.length && keys.every((keyword) => isSame(left[keyword], right[keyword]))
}

/** Compares by identity, except for lists of names, which clones copy. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((item, index) => typeof item !== 'object' && item === right[index])
}
