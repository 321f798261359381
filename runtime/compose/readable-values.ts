import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

type Definitions = Readonly<Record<string, Schema>>

/** Deepest level that is read: hostile schemas nest without end. */
const deepest = 32

/**
 * The values that References can read, by type; decides whether some of them could fit a schema. Its size depends on the added
 * schemas, not on the number of queries. Approximates in favour of yes: all arrays count as one, and objects are compared by
 * their property names only.
 */
export class ReadableValues {
  #isEmpty = true
  /** True if some value may be of any type. */
  #anything = false
  #number = false
  #boolean = false
  /** True if any text may be read; the values of enums are in `#words`. */
  #text = false
  readonly #words = new Set<string>()
  #items: ReadableValues | undefined
  #hasObject = false
  /** True if some object has unknown property names. */
  #openObject = false
  /** The objects that may have a property, by the property's name. */
  readonly #objects = new Map<string, Set<number>>()
  #objectCount = 0
  /** The schemas and values that were added; fixed ones apart, since a text of theirs is no other text. */
  readonly #seen = new Set<unknown>()
  readonly #seenFixed = new Set<unknown>()

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Adds the values of a schema, and everything inside them. */
  addSchema(schema: Schema, definitions: Definitions, depth = 0): void {
    if (!schema || this.#anything || depth > deepest) return
    this.#isEmpty = false
    if (schema === true) this.#anything = true
    if (schema === true || this.#seen.has(schema)) return
    this.#seen.add(schema)
    const add = (part: Schema): void => this.addSchema(part, definitions, depth + 1)
    const target = own(definitions, definitionName(schema.$ref) ?? '') as Schema | undefined
    const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? [])
    if (target !== undefined) add(target)
    for (const branch of branches) add(branch)
    if (schema.const !== undefined || schema.enum) {
      for (const value of schema.enum ?? [schema.const]) this.addValue(value, true, depth)
      return
    }
    const types = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat()
    if (types.length === 0 && target === undefined && branches.length === 0) this.#anything = true
    if (types.includes('number') || types.includes('integer')) this.#number = true
    if (types.includes('boolean')) this.#boolean = true
    if (types.includes('string')) this.#text = true
    if (types.includes('array')) this.#addItems(schema, definitions, depth)
    if (types.includes('object')) this.#addObject(schema, add)
  }

  /** Adds an existing value, and everything inside it. */
  addValue(value: unknown, isFixed = false, depth = 0): void {
    if (depth > deepest || value === null || value === undefined) return
    // Once each: a list is added both here and to the items, and so would be what is in it, at each level.
    const seen = isFixed ? this.#seenFixed : this.#seen
    if (seen.has(value)) return
    if (typeof value === 'object') seen.add(value)
    this.#isEmpty = false
    if (typeof value === 'number') this.#number = true
    else if (typeof value === 'boolean') this.#boolean = true
    else if (typeof value === 'string') {
      this.#words.add(value)
      if (!isFixed) this.#text = true
    } else if (Array.isArray(value)) {
      const items = this.#listItems()
      for (const item of value) {
        items.addValue(item, isFixed, depth + 1)
        this.addValue(item, isFixed, depth + 1)
      }
    } else if (isJsonObject(value)) {
      this.#nameObject(Object.keys(value))
      for (const part of Object.values(value)) this.addValue(part, isFixed, depth + 1)
    }
  }

  #listItems(): ReadableValues {
    this.#items ??= new ReadableValues()
    return this.#items
  }

  #addItems({ items, prefixItems = [] }: JsonSchema, definitions: Definitions, depth: number): void {
    const list = this.#listItems()
    list.#isEmpty = false
    const parts = [...prefixItems, ...(Array.isArray(items) ? items : items === false ? [] : [items ?? true])]
    for (const part of parts) {
      list.addSchema(part, definitions, depth + 1)
      this.addSchema(part, definitions, depth + 1)
    }
  }

  #addObject(schema: JsonSchema, add: (part: Schema) => void): void {
    const { properties = {}, patternProperties, additionalProperties } = schema
    const names = Object.keys(properties)
    this.#nameObject(names)
    const isRecord = patternProperties !== undefined || isJsonObject(additionalProperties)
    if (isRecord || additionalProperties === true || names.length === 0) this.#openObject = true
    for (const part of [...Object.values(properties), ...Object.values(patternProperties ?? {})]) add(part)
    if (isJsonObject(additionalProperties)) add(additionalProperties as Schema)
  }

  #nameObject(names: readonly string[]): void {
    this.#hasObject = true
    const id = this.#objectCount++
    for (const name of names) {
      const known = this.#objects.get(name)
      if (known) known.add(id)
      else this.#objects.set(name, new Set([id]))
    }
  }

  /** True if some readable value could be valid under the schema; null does not count. */
  couldFit(schema: Schema, definitions: Definitions, depth = 0): boolean {
    if (this.#isEmpty || schema === false) return false
    if (this.#anything || schema === true || depth > deepest) return true
    const fits = (part: Schema): boolean => this.couldFit(part, definitions, depth + 1)
    const target = own(definitions, definitionName(schema.$ref) ?? '') as Schema | undefined
    if (target !== undefined) return fits(target)
    const branches = schema.anyOf ?? schema.oneOf
    if (branches) return branches.some(fits)
    if (schema.allOf) return schema.allOf.every(fits)
    if (schema.const !== undefined || schema.enum)
      return (schema.enum ?? [schema.const]).some((one) => this.#has(one))
    const types = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat()
    if (types.length === 0) return true
    return types.some((type) => this.#couldBe(type, schema, definitions, depth))
  }

  #couldBe(type: string, schema: JsonSchema, definitions: Definitions, depth: number): boolean {
    if (type === 'number' || type === 'integer') return this.#number
    if (type === 'boolean') return this.#boolean
    if (type === 'string') return this.#text || this.#words.size > 0
    if (type === 'array') return this.#couldBeList(schema, definitions, depth)
    return type === 'object' && this.#couldBeObject(schema)
  }

  #couldBeList({ items, prefixItems = [] }: JsonSchema, definitions: Definitions, depth: number): boolean {
    const list = this.#items
    if (!list) return false
    const parts = [...prefixItems, ...(Array.isArray(items) ? items : [items ?? true])]
    return list.#isEmpty || parts.some((part) => list.couldFit(part, definitions, depth + 1))
  }

  #couldBeObject({ required = [] }: JsonSchema): boolean {
    if (!this.#hasObject || this.#openObject || required.length === 0) return this.#hasObject
    const holders = required.map((name) => this.#objects.get(name))
    const [first, ...others] = holders
    return first !== undefined && [...first].some((id) => others.every((ids) => ids?.has(id)))
  }

  /** Free text does not fit an enum, as in the type system. */
  #has(value: unknown): boolean {
    if (typeof value === 'string') return this.#words.has(value)
    if (typeof value === 'number') return this.#number
    if (typeof value === 'boolean') return this.#boolean
    if (value === null) return false
    return Array.isArray(value) ? this.#items !== undefined : this.#hasObject
  }
}

/** Infers the type of a schema without `type` from its keywords. */
function impliedTypes({ properties, items, prefixItems }: JsonSchema): string[] {
  if (properties) return ['object']
  return (items ?? prefixItems) === undefined ? [] : ['array']
}
