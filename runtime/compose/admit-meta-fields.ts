import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { isInPlace, keywordOf } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { isSchema, mapChildSchemas } from '../schema/schema-children.ts'

/** The meta-fields of a branch. */
export interface BranchFields {
  readonly names: readonly string[]
  /** How many of them every Call has. */
  readonly required: number
}

/** A branch, and the definitions that it refers to besides those that its Tool has. */
export interface AdmittedBranch {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, Schema>>
}

/**
 * Keeps a Tool's whole-object keywords from refusing the meta-fields that stand beside its parameters: a closed schema in its
 * `allOf` would forbid `_tool`, and `maxProperties` would count it (CALL-1a).
 *
 * @param known The definitions that the branch may refer to, by name.
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

/** Opens what looks at the object as a whole; what looks at its parts alone stays the same object. */
class Opener {
  readonly #fields: BranchFields
  readonly #known: (name: string) => Schema | undefined
  /** By the name of a definition: the name of the one that stands for it here. */
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

  /** A closed `not` refuses nothing that has further fields. */
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

  /** @returns The name of the definition that is open in its place; the same where it is open already. */
  #open(name: string | undefined): string | undefined {
    if (name === undefined) return undefined
    const found = this.#names.get(name)
    if (found !== undefined) return found
    // A circle that looks at one object for ever says nothing of it.
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

/** The pattern of the same names, but for these. */
function beside(names: readonly string[], pattern: string): string {
  return `^(?!(?:${names.join('|')})$)[\\s\\S]*?(?:${pattern})`
}

function isClosed({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return [additionalProperties, unevaluatedProperties].some((rest) => rest !== undefined && rest !== true)
}
