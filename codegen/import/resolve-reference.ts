import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema, isSchema } from '../../runtime/schema/schema-children.ts'

/** The target of a reference: its JSON pointer, as segments, and its schema; or why it cannot be resolved. */
export type Resolved =
  | { readonly segments: readonly string[]; readonly target: Schema }
  | { readonly problem: string }

/** A named location of the document, at which references can start. */
interface Target {
  readonly pointer: string
  readonly schema: JsonObject
}

/** The base URI of a document without one, so that a relative `$id` can be resolved. */
const unnamed = 'schema:/'

/** Resolves the references of one document, within the document only. Nothing is ever fetched. */
export class References {
  readonly #document: JsonObject
  /** Schemas with an `$id`, by address, and anchors, by address with `#name`. */
  readonly #targets = new Map<string, Target>()
  /** Names that several different schemas have. */
  readonly #ambiguous = new Set<string>()
  /** The base URI of each schema. */
  readonly #bases = new Map<Schema, string>()
  /** Cache: whether the references of a schema lead into a circle. */
  readonly #circular = new Map<Schema, boolean>()

  constructor(document: JsonObject) {
    this.#document = document
    this.#targets.set(unnamed, { pointer: '', schema: document })
    this.#collect(document, '', unnamed)
  }

  /** Follows the `$ref` of a schema. */
  resolve(schema: JsonObject, reference: string): Resolved {
    const [name, fragment] = addressOf(reference, this.#baseOf(schema))
    const pointer = decoded(fragment)
    if (pointer === undefined) return { problem: 'it is not a valid URI fragment' }
    const base = this.#targets.get(name)
    if (!base) return { problem: 'it leads out of the schema' }
    const isPointer = pointer === '' || pointer.startsWith('/')
    const named = isPointer ? name : `${name}#${pointer}`
    if (this.#ambiguous.has(named)) return { problem: 'several different schemas have this name' }
    const from = this.#targets.get(named)
    if (!from) return { problem: 'there is no such anchor' }
    const steps = isPointer ? pointerNames(pointer) : []
    // Many authors mean the whole document even below an `$id`.
    return follow(from, steps) ?? follow({ pointer: '', schema: this.#document }, steps) ?? noSchema
  }

  /** Whether references alone lead from a schema into a circle, on which validators would not terminate. */
  isCircular(schema: JsonObject): boolean {
    const way = new Set<Schema>()
    let at: Schema | undefined = schema
    while (at !== undefined && !way.has(at) && !this.#circular.has(at)) {
      way.add(at)
      at = this.#next(at)
    }
    const isCircular = at !== undefined && (this.#circular.get(at) ?? true)
    for (const each of way) this.#circular.set(each, isCircular)
    return isCircular
  }

  /** Returns the target of a schema's reference; undefined if it has none. */
  #next(schema: Schema): Schema | undefined {
    if (!isJsonObject(schema)) return undefined
    const reference = own(schema, '$ref')
    const resolved: Resolved = typeof reference === 'string' ? this.resolve(schema, reference) : noSchema
    return 'problem' in resolved ? undefined : resolved.target
  }

  #baseOf(schema: JsonObject): string {
    return this.#bases.get(schema) ?? this.#bases.get(this.#document) ?? unnamed
  }

  #collect(schema: JsonObject, pointer: string, outer: string): void {
    const id = own(schema, '$id')
    // Up to draft-07 an `$id` that begins with "#" is an anchor.
    const [base, idAnchor] = addressOf(typeof id === 'string' ? id : '', outer)
    if (base !== outer) this.#add(base, { pointer, schema })
    for (const anchor of [idAnchor, own(schema, '$anchor')]) {
      if (typeof anchor === 'string' && anchor !== '') this.#add(`${base}#${anchor}`, { pointer, schema })
    }
    this.#bases.set(schema, base)
    forEachChildSchema(schema, (child, keyword, key) => {
      if (isJsonObject(child)) this.#collect(child, pointer + childPointer(keyword, key), base)
    })
  }

  #add(name: string, target: Target): void {
    const first = this.#targets.get(name)
    if (!first) this.#targets.set(name, target)
    else if (JSON.stringify(first.schema) !== JSON.stringify(target.schema)) this.#ambiguous.add(name)
  }
}

const noSchema = { problem: 'there is no schema' }

function follow({ pointer, schema }: Target, steps: readonly string[]): Resolved | undefined {
  let target: unknown = schema
  for (const step of steps) {
    target = typeof target === 'object' && target !== null ? own(target, step) : undefined
  }
  return isSchema(target) ? { segments: [...pointerNames(pointer), ...steps], target } : undefined
}

/** Splits a reference into its absolute URI and the fragment after "#". */
function addressOf(reference: string, base: string): [address: string, fragment: string] {
  const at = `${reference}#`.indexOf('#')
  const name = reference.slice(0, at)
  const isRelative = URL.canParse(name, base)
  const address = name === '' ? base : isRelative ? new URL(name, base).href : name
  return [address, reference.slice(at + 1)]
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Malformed percent signs: the caller says so.
    return undefined
  }
}
