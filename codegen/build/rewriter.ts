import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { definitionRef } from '../../runtime/json/definition-reference.ts'
import { wording } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../runtime/schema/schema-children.ts'
import type { Definition } from './name-definitions.ts'
import type { Survey } from './survey.ts'

/** Keywords that have done their work once references are rewritten. */
const resolved = ['$id', '$defs', '$anchor', '$dynamicAnchor']

/**
 * Writes schemas with every shared part as a reference into the model's definitions, and remembers which definitions
 * that reached.
 */
export class Rewriter {
  readonly reached: Map<string, Definition> = new Map()
  readonly #survey: Survey
  readonly #definitions: ReadonlyMap<JsonSchema, Definition>

  constructor(survey: Survey, definitions: ReadonlyMap<JsonSchema, Definition>) {
    this.#survey = survey
    this.#definitions = definitions
  }

  /** A schema as it stands inside another. */
  inside(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema
    const definition = this.#definitions.get(this.#survey.same.of(schema))
    if (definition)
      return { ...this.#reference(definition), ...annotationsBeside(schema, baseOf(definition)) }
    return this.whole(schema)
  }

  /** A schema written out, its parts as {@link inside}. */
  whole(schema: JsonSchema): JsonSchema {
    const written = mapChildSchemas(without(schema, resolved), (child) => this.inside(child))
    if (schema.$ref === undefined) return written
    const target = this.#survey.targets.get(schema)
    // A reference that leads nowhere has been reported; the rest of the schema still holds.
    if (target === undefined) return without(written, ['$ref'])
    const definition = this.#definitions.get(target)
    return definition ? { ...written, ...this.#reference(definition) } : written
  }

  /** What a definition says, written out. */
  definition(definition: Definition): JsonSchema {
    return this.whole(baseOf(definition))
  }

  #reference(definition: Definition): JsonSchema {
    this.reached.set(definition.name, definition)
    return { $ref: definitionRef(definition.name) }
  }
}

/** The form of a shared schema that its definition takes; other forms keep what they say differently beside the `$ref`. */
function baseOf({ entry }: Definition): JsonSchema {
  return entry.forms[0] ?? entry.node
}

function annotationsBeside(schema: JsonSchema, base: JsonSchema): JsonSchema {
  const own = wording.filter(
    (keyword) => schema[keyword] !== undefined && !saysSame(schema[keyword], base[keyword]),
  )
  return Object.fromEntries(own.map((keyword) => [keyword, schema[keyword]]))
}

function saysSame(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && canonicalJson(left) === canonicalJson(right))
}

/** Leaves keywords out. Most schemas have none of them, and then it is the schema itself that comes back. */
function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}
