import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { isInPlace, keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { isSchema, mapChildSchemas } from '../schema/schema-children.ts'

/** The meta-fields of a branch. */
export interface BranchFields {
  readonly names: readonly string[]
  /** Number of meta-fields that every Call has. */
  readonly required: number
}

/** A branch, and the definitions it references in addition to its Tool's own. */
export interface AdmittedBranch {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, Schema>>
}

/**
 * Adapts a Tool's keywords about the object as a whole so that they allow the meta-fields next to its parameters: a closed schema
 * in its `allOf` would forbid `_tool`, and `maxProperties` would count it (CALL-1a).
 *
 * @param known The definitions that the branch may reference, by name.
 */
export function admitMetaFields(
  branch: JsonSchema,
  fields: BranchFields,
  known: (name: string) => Schema | undefined,
): AdmittedBranch {
  if (fields.names.length === 0) return { schema: branch, definitions: {} }
  const opener = new Opener(fields, known)
  const schema = opener.opened(branch)
  return { schema, definitions: opener.definitions }
}

/** Adapts schemas about the object as a whole; schemas about its parts are kept, as the same objects. */
class Opener {
  readonly #fields: BranchFields
  readonly #known: (name: string) => Schema | undefined
  /** Maps a definition's name to that of its adapted copy. */
  readonly #names = new Map<string, string>()
  readonly definitions: Record<string, Schema> = {}

  constructor(fields: BranchFields, known: (name: string) => Schema | undefined) {
    this.#fields = fields
    this.#known = known
  }

  opened(given: JsonSchema): JsonSchema {
    const schema = this.#withOpenParts(given)
    const { names, required } = this.#fields
    const changes: Record<string, unknown> = {}
    const { minProperties: least, maxProperties: most, propertyNames } = schema
    if (typeof least === 'number') changes.minProperties = least + required
    if (typeof most === 'number') changes.maxProperties = most + names.length
    if (propertyNames !== undefined && propertyNames !== true) {
      changes.propertyNames = { anyOf: [propertyNames, { type: 'string', enum: [...names] }] }
    }
    const { properties = {} } = schema
    const others = names.filter((name) => !Object.hasOwn(properties, name))
    if (isClosed(schema) && others.length > 0) {
      const added = others.map((name): [string, Schema] => [name, true])
      changes.properties = Object.fromEntries([...added, ...Object.entries(properties)])
    }
    const patterns = Object.entries(schema.patternProperties ?? {})
    if (patterns.some(([pattern]) => names.some((name) => new RegExp(pattern, 'u').test(name)))) {
      changes.patternProperties = Object.fromEntries(
        patterns.map(([pattern, part]) => [beside(names, pattern), part]),
      )
    }
    const target = this.#open(definitionName(schema.$ref))
    if (target !== undefined) changes.$ref = definitionRef(target)
    return Object.keys(changes).length === 0 ? schema : { ...schema, ...changes }
  }

  /** A closed schema in `not` never matches a Call with meta-fields, so it refuses nothing. */
  #withOpenParts(schema: JsonSchema): JsonSchema {
    let isChanged = false
    const copy = mapChildSchemas(schema, (part, keyword) => {
      const isOfWhole = isInPlace(keyword) && keyword !== 'not' && keywordOf(keyword)?.kind === 'assertion'
      if (!isOfWhole || !isJsonObject(part)) return part
      const open = this.opened(part)
      isChanged ||= open !== part
      return open
    })
    return isChanged ? copy : schema
  }

  /** @returns The name of the adapted definition; the same name if nothing had to change. */
  #open(name: string | undefined): string | undefined {
    if (name === undefined) return undefined
    const found = this.#names.get(name)
    if (found !== undefined) return found
    // A cycle of references about the same object constrains nothing.
    this.#names.set(name, name)
    const definition = this.#known(name)
    if (!isSchema(definition) || !isJsonObject(definition)) return undefined
    const open = this.opened(definition)
    if (open === definition) return undefined
    const free = this.#freeName(`${name}_Call`)
    this.#names.set(name, free)
    this.definitions[free] = open
    return free
  }

  #freeName(wanted: string): string {
    let name = wanted
    while (this.#known(name) !== undefined || Object.hasOwn(this.definitions, name)) name += '_'
    return name
  }
}

/** Returns a pattern that matches the same names except these. */
function beside(names: readonly string[], pattern: string): string {
  return `^(?!(?:${names.join('|')})$)[\\s\\S]*?(?:${pattern})`
}

function isClosed({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return [additionalProperties, unevaluatedProperties].some((rest) => rest !== undefined && rest !== true)
}
