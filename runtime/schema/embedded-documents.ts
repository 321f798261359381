import { definitionRef } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'

/**
 * Moves embedded documents, which are subschemas with a `$schema` such as `z.toJSONSchema` returns, into definitions: their
 * references are relative to themselves and not to the Tool that contains them.
 */
export function withEmbeddedDocuments(root: JsonSchema): JsonSchema {
  const embedded = new EmbeddedDocuments(Object.keys(root.$defs ?? {}))
  const written = mapChildSchemas(root, (child, _keyword, key) => embedded.replaced(child, key))
  const moved = embedded.definitions
  return moved.size === 0
    ? written
    : { ...written, $defs: { ...written.$defs, ...Object.fromEntries(moved) } }
}

/** A definition of an embedded document, and its name in the whole schema. */
interface OwnDefinition {
  readonly name: string
  readonly schema: Schema
  readonly as: string
}

class EmbeddedDocuments {
  /** The definitions made of the documents, by unique names. */
  readonly definitions: Map<string, Schema> = new Map()
  readonly #taken: Set<string>

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  /** Returns a part of the whole schema with its embedded documents replaced by references. */
  replaced(schema: Schema, key?: string): Schema {
    if (!isJsonObject(schema)) return schema
    return typeof schema.$schema === 'string' && refersToItself(schema)
      ? this.#moved(schema, key)
      : mapChildSchemas(schema, (child, _keyword, name) => this.replaced(child, name))
  }

  #moved(document: JsonSchema, key = 'Part'): Schema {
    const { $schema, $defs, definitions: older, ...rest } = document
    const self = this.#freeName(key)
    const brought = Object.entries({ ...(isJsonObject(older) && older), ...$defs })
    const own = brought.map(([name, schema]) => ({
      name,
      schema: schema as Schema,
      as: this.#freeName(name),
    }))
    const renamed = (reference: string): string => newReference(reference, self, own)
    this.definitions.set(self, this.#rewritten(rest, renamed))
    for (const { schema, as } of own) this.definitions.set(as, this.#rewritten(schema, renamed))
    return { $ref: definitionRef(self) }
  }

  /** Returns a part of a document with its references renamed; a document nested in it is handled on its own. */
  #rewritten(schema: Schema, renamed: (reference: string) => string, key?: string): Schema {
    if (!isJsonObject(schema)) return schema
    if (typeof schema.$schema === 'string') return this.#moved(schema, key)
    const copy = mapChildSchemas(schema, (child, _keyword, name) => this.#rewritten(child, renamed, name))
    return copy.$ref?.startsWith('#') ? { ...copy, $ref: renamed(copy.$ref) } : copy
  }

  #freeName(wanted: string): string {
    let name = wanted
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`
    this.#taken.add(name)
    return name
  }
}

/** Converts a reference within a document to one within the whole schema. */
function newReference(reference: string, self: string, own: readonly OwnDefinition[]): string {
  for (const { name, as } of own) {
    for (const place of ['$defs', 'definitions']) {
      const start = `#/${place}/${pointerSegment(name)}`
      if (reference === start || reference.startsWith(`${start}/`))
        return definitionRef(as) + reference.slice(start.length)
    }
  }
  return definitionRef(self) + reference.slice(1)
}

function refersToItself(document: JsonSchema): boolean {
  return JSON.stringify(document).includes('"$ref":"#')
}
