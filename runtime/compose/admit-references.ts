import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'
import type { ReadableValues } from './readable-values.ts'

/** Which parameters of a composed schema admit References; `deep` includes nested values. */
export type ReferenceMode = 'auto' | 'deep' | 'none'

/** The inputs that decide whether a parameter admits a Reference. */
export interface ReferenceRules {
  readonly mode: ReferenceMode
  /** The values that References can read. */
  readonly readable: ReadableValues
  /** The name of the shared definition of a Reference; see `referenceName`. */
  readonly name: string
  /** Definitions that the parameters reference. */
  readonly definitions: Readonly<Record<string, Schema>>
}

/** The schema of a Reference, shared by all parameters that admit one. */
export const referenceSchema: JsonSchema = {
  type: 'string',
  pattern: referencePattern,
  description: 'Reference to data',
}

/** Extends a Tool's parameters to admit References (REF-5), if some readable value could fit. */
export class ReferenceAdmission {
  readonly #rules: ReferenceRules
  /** Copies of definitions whose nested values admit References, by the name of the original. */
  readonly #deep = new Map<string, { readonly name: string; schema: Schema }>()

  constructor(rules: ReferenceRules) {
    this.#rules = rules
  }

  /** The definitions that the extended parameters need in addition to the Tool's own. */
  get definitions(): Record<string, Schema> {
    const deep = [...this.#deep.values()].map(({ name, schema }) => [name, schema] as const)
    return { [this.#rules.name]: referenceSchema, ...Object.fromEntries(deep) }
  }

  /** Looks up a definition of the Tool, or a shared one. */
  known(name: string): Schema | undefined {
    return own(this.#rules.definitions, name) as Schema | undefined
  }

  /** Extends a parameter's schema to admit a Reference. Its own `references: false` is removed in any case. */
  parameter(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema
    return schema.references === false ? this.leave(schema) : this.#admitted(schema)
  }

  /** Returns a parameter's schema unchanged, without the keyword `references`, which is for composition only. */
  leave(schema: Schema): Schema {
    if (typeof schema === 'boolean' || schema.references === undefined) return schema
    const { references, ...plain } = schema
    return plain
  }

  /** Extends another schema of the whole Tool: its constraints on a parameter apply to values, not to a Reference. */
  refinement(schema: Schema, compared: ReadonlySet<string>): Schema {
    if (typeof schema === 'boolean' || !schema.properties) return schema
    const properties = Object.entries(schema.properties).map(([name, part]) => [
      name,
      compared.has(name) ? part : this.#orAlready(part),
    ])
    return { ...schema, properties: Object.fromEntries(properties) }
  }

  /** Here a fixed value may be a Reference too: the parameter's own schema decides. */
  #orAlready(part: Schema): Schema {
    const { mode, readable, definitions } = this.#rules
    if (typeof part === 'boolean' || mode === 'none' || readable.isEmpty) return part
    return takesReferences(part, definitions) ? part : this.#orReference(part)
  }

  #admitted({ references, ...schema }: JsonSchema): Schema {
    const { mode, readable, definitions } = this.#rules
    if (mode === 'none' || readable.isEmpty) return schema
    const inner = mode === 'deep' ? this.#nested(schema) : schema
    if (isFixed(schema) || takesReferences(schema, definitions)) return inner
    return readable.couldFit(schema, definitions) ? this.#orReference(inner) : inner
  }

  /**
   * Chooses the form with the fewest tokens. For numbers and booleans that is a list of types, since a pattern applies to strings
   * only; for a pattern it is an alternative within it; for the rest a union with the shared definition.
   */
  #orReference(schema: JsonSchema): JsonSchema {
    const cheap = withReferencePattern(schema)
    if (cheap) return cheap
    const { title, description, anyOf, ...rest } = schema
    const known = anyOf && Object.keys(rest).length === 0 ? anyOf : undefined
    const changed = known?.map((branch) =>
      typeof branch === 'object' ? withReferencePattern(branch) : undefined,
    )
    const at = changed?.findIndex((branch) => branch !== undefined) ?? -1
    const reference: JsonSchema = { $ref: definitionRef(this.#rules.name) }
    const branches = known ?? [anyOf ? { ...rest, anyOf } : rest]
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      anyOf:
        at >= 0
          ? branches.map((branch, index) => (index === at ? (changed?.[at] ?? branch) : branch))
          : [...branches, reference],
    }
  }

  /** Copies a schema so that its nested values admit References. */
  #nested(schema: JsonSchema): JsonSchema {
    const name = definitionName(schema.$ref)
    if (name !== undefined) return { ...schema, $ref: definitionRef(this.#deepName(name)) }
    return mapChildSchemas(schema, (child, keyword) => {
      if (!isJsonObject(child)) return child
      if (holdsParts.has(keyword)) return this.#admitted(child)
      return holdsAlternatives.has(keyword) ? this.#nested(child) : child
    })
  }

  #deepName(name: string): string {
    const known = this.#deep.get(name)
    if (known) return known.name
    const schema = own(this.#rules.definitions, name)
    if (!isJsonObject(schema)) return name
    const made = { name: `${name}_${this.#rules.name}`, schema: {} as Schema }
    this.#deep.set(name, made)
    made.schema = this.#nested(schema)
    return made.name
  }
}

/** Extends a schema's own pattern to admit References; undefined if that is not possible. */
function withReferencePattern(schema: JsonSchema): JsonSchema | undefined {
  const types = [schema.type ?? []].flat()
  const others = ['const', 'enum', 'anyOf', 'oneOf', 'allOf']
  if (types.length === 0 || others.some((keyword) => schema[keyword] !== undefined)) return undefined
  const isListable = types.every((type) => listable.has(type)) && types.some((type) => type !== 'null')
  if (isListable) return { ...schema, type: [...types, 'string'], pattern: referencePattern }
  if (!types.includes('string') || !hasOnlyPattern(schema)) return undefined
  return { ...schema, pattern: `${referencePattern}|${schema.pattern}` }
}

const listable: ReadonlySet<string> = new Set(['number', 'integer', 'boolean', 'null'])
const holdsParts: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
])
const holdsAlternatives: ReadonlySet<string> = new Set(['anyOf', 'allOf'])

/** A parameter with only one legal value needs no Reference. */
function isFixed({ const: value, enum: list }: JsonSchema): boolean {
  return value !== undefined || list?.length === 1
}

/** True for a schema that accepts any string, and so already accepts a Reference. */
function takesReferences(schema: Schema, definitions: Readonly<Record<string, Schema>>, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema
  if (constrains.some((keyword) => schema[keyword] !== undefined) || !hasRoom(schema)) return false
  if (schema.type !== undefined) return [schema.type].flat().includes('string')
  if (depth > 32) return false
  const target = own(definitions, definitionName(schema.$ref) ?? '') as Schema | undefined
  if (target !== undefined) return takesReferences(target, definitions, depth + 1)
  if (schema.$ref !== undefined) return false
  if (schema.anyOf) return schema.anyOf.some((branch) => takesReferences(branch, definitions, depth + 1))
  return schema.properties === undefined
}

const constrains = ['const', 'enum', 'pattern', 'format', 'allOf', 'oneOf', 'not', 'if'] as const

/** A string that may be this long, in characters, can hold a Reference. */
const room = 40

function hasRoom({ minLength = 0, maxLength = room }: JsonSchema): boolean {
  return Number(minLength) <= 2 && Number(maxLength) >= room
}

/** True for a string schema whose only constraint is a pattern. */
function hasOnlyPattern(schema: JsonSchema): boolean {
  return (
    schema.pattern !== undefined && schema.format === undefined && schema.not === undefined && hasRoom(schema)
  )
}

/** Returns an unused name for the shared definition of a Reference. */
export function referenceName(taken: Iterable<string>): string {
  const names = new Set(taken)
  let name = 'ref'
  while (names.has(name)) name += '_'
  return name
}
