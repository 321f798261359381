import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { definitionRef } from '../../runtime/json/definition-reference.ts'
import { wording } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../runtime/schema/schema-children.ts'
import type { Definition } from './name-definitions.ts'
import type { Survey } from './survey.ts'

/** Keywords that are not needed any more once references are rewritten. */
const resolved = ['$id', '$defs', '$anchor', '$dynamicAnchor']

/**
 * Rewrites schemas so that every shared part is a reference to the model's definitions, and records which definitions
 * were referenced.
 */
export class Rewriter {
  readonly reached: Map<string, Definition> = new Map()
  readonly #survey: Survey
  readonly #definitions: ReadonlyMap<JsonSchema, Definition>
  readonly #bases = new Map<Definition, JsonSchema>()

  constructor(survey: Survey, definitions: ReadonlyMap<JsonSchema, Definition>) {
    this.#survey = survey
    this.#definitions = definitions
  }

  /** Rewrites a nested schema: a reference if it is shared, else the schema itself. */
  inside(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema
    const definition = this.#definitions.get(this.#survey.same.of(schema))
    if (definition)
      return { ...this.#reference(definition), ...annotationsBeside(schema, this.#baseOf(definition)) }
    return this.whole(schema)
  }

  /** Rewrites the parts of a schema with {@link inside}, and keeps the schema itself expanded. */
  whole(schema: JsonSchema): JsonSchema {
    const written = mapChildSchemas(without(schema, resolved), (child) => this.inside(child))
    if (schema.$ref === undefined) return written
    const target = this.#survey.targets.get(schema)
    // An unresolved reference was reported already; keep the rest of the schema.
    if (target === undefined) return without(written, ['$ref'])
    const definition = this.#definitions.get(target)
    return definition ? { ...written, ...this.#reference(definition) } : written
  }

  /** Returns the expanded schema of a definition. */
  definition(definition: Definition): JsonSchema {
    return this.whole(this.#baseOf(definition))
  }

  /**
   * Returns the form of a shared schema that becomes its definition; other forms keep their differences next to the `$ref`. An
   * annotation that one of them lacks is no part of it: nothing next to a `$ref` takes one away.
   */
  #baseOf(definition: Definition): JsonSchema {
    const known = this.#bases.get(definition)
    if (known) return known
    const { entry, forms } = definition
    const lacking = wording.filter((keyword) => forms.some((form) => form[keyword] === undefined))
    const base = without(entry.forms[0] ?? entry.node, lacking)
    this.#bases.set(definition, base)
    return base
  }

  #reference(definition: Definition): JsonSchema {
    this.reached.set(definition.name, definition)
    return { $ref: definitionRef(definition.name) }
  }
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

/** Removes keywords. Returns the same schema if it has none of them, as most do. */
function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}
