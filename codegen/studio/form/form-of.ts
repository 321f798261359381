import { checkTree } from '../../../runtime/check-tree/build.ts'
import { localReferences } from '../../../runtime/check-tree/local-references.ts'
import type { References } from '../../../runtime/check-tree/references.ts'
import { tupleOf } from '../../../runtime/check-tree/spellings.ts'
import { all, type CheckTree, isValid, valid } from '../../../runtime/check-tree/tree.ts'
import { isJsonObject, own } from '../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Facts, Kind, Union } from './facts.ts'
import type { Alternative, Field, Form, ListField, ObjectField, Property, Wording } from './field.ts'
import { factsOf } from './read-facts.ts'

/** The deepest nesting of unions. Combined unions multiply, so deeper ones are left to the check. */
const deepestUnion = 3

/** The most fields of a form: an untrusted schema can expand without limit. */
const mostFields = 20_000

/**
 * Creates the form of a schema. Constraints come from the check tree, so that form and check always agree; texts come from
 * the schema.
 *
 * @param schema A schema that the check supports.
 */
export function formOf(schema: Schema): Form {
  const maker = new FormMaker(localReferences(schema))
  const root = maker.field(maker.tree(schema), [schema])
  return { root, definitions: maker.definitions() }
}

class FormMaker {
  readonly #references: References
  readonly #wanted = new Set<string>()
  /** Definitions that are being expanded, to stop at recursion. */
  readonly #open = new Set<string>()
  #left = mostFields

  constructor(references: References) {
    this.#references = references
  }

  tree(schema: Schema): CheckTree {
    return checkTree(schema, this.#references)
  }

  definitions(): Record<string, Field> {
    const made = new Map<string, Field>()
    // The set grows during the loop: a definition may refer to further ones.
    for (const name of this.#wanted) {
      const schema = this.#references.schemaOf(name) ?? false
      made.set(name, this.field(this.tree(schema), [schema]))
    }
    // A definition's name is untrusted: `fromEntries` creates an own property for any name.
    return Object.fromEntries(made)
  }

  /** @param sources The schemas with the texts for the tree. */
  field(tree: CheckTree, sources: readonly Schema[], depth = 0): Field {
    const known = withParts(sources)
    const words = wordingOf(known)
    if (this.#left-- <= 0) return { ...words, kind: 'any', conditions: [beyondForm] }
    const facts = factsOf(tree)
    const [definition, ...more] = facts.definitions
    if (definition !== undefined) {
      const stands = tree.op === 'definition' || this.#open.has(definition)
      if (stands && more.length === 0) {
        this.#wanted.add(definition)
        return { ...words, kind: 'reference', name: definition }
      }
      return this.#written(definition, tree, known, depth)
    }
    const [union] = facts.unions
    if (union && depth >= deepestUnion) facts.conditions.add(beyondForm)
    const conditions = facts.conditions.size > 0 ? { conditions: [...facts.conditions] } : {}
    if (union && depth < deepestUnion) {
      return { ...words, ...conditions, ...this.#union(union, tree, known, depth) }
    }
    return { ...words, ...conditions, ...this.#plain(facts, known) }
  }

  /** Expands a definition if the reference has further keywords next to it. */
  #written(name: string, tree: CheckTree, sources: readonly Schema[], depth: number): Field {
    const target = this.#references.schemaOf(name) ?? false
    this.#open.add(name)
    try {
      const rest = without(tree, (part) => part.op === 'definition' && part.name === name)
      return this.field(all([rest, this.tree(target)]), [...sources, target], depth)
    } finally {
      this.#open.delete(name)
    }
  }

  #union(union: Union, tree: CheckTree, sources: readonly Schema[], depth: number): Field {
    const rest = without(tree, (part) => part === union.part)
    const schemas = this.#alternativeSchemas(union, sources)
    const own = sources.map(withoutAlternatives)
    const alternatives = union.alternatives.map((part, index): Alternative => {
      const schema = schemas?.[index]
      const joined = isValid(rest) ? part : all([rest, part])
      const words = schema === undefined ? [] : [schema]
      const field = this.field(joined, isValid(rest) ? words : [...words, ...own], depth + 1)
      return { label: labelOf(field, schema, union, index), field }
    })
    const { tag } = union
    return { kind: 'union', alternatives: withUniqueLabels(alternatives), ...(tag && { tag }) }
  }

  /** Returns the schemas of a union's alternatives. The check tree omits unsatisfiable ones. */
  #alternativeSchemas({ keyword, alternatives }: Union, sources: readonly Schema[]): Schema[] | undefined {
    for (const source of sources) {
      const listed = isJsonObject(source) ? (own(source, keyword) as Schema[] | undefined) : undefined
      if (!listed) continue
      const possible = listed.filter((each) => {
        const tree = this.tree(each)
        return tree.op !== 'call' || tree.helper !== 'never'
      })
      if (possible.length === alternatives.length) return possible
    }
    return undefined
  }

  #plain(facts: Facts, sources: readonly Schema[]): Field {
    const { kinds, values } = facts
    if (kinds.has('never')) return { kind: 'never' }
    if (values) return { kind: 'choice', values }
    const listed = [...kinds]
    const [only, ...others] = listed
    if (only === undefined) return { kind: 'any' }
    if (others.length === 0) return this.#ofKind(only, facts, sources)
    const alternatives = listed.map(
      (kind): Alternative => ({ label: kindLabels[kind], field: this.#ofKind(kind, facts, sources) }),
    )
    return { kind: 'union', alternatives }
  }

  #ofKind(kind: Kind, facts: Facts, sources: readonly Schema[]): Field {
    switch (kind) {
      case 'text': {
        const { patterns, format, ...limits } = facts.text
        return {
          kind,
          ...limits,
          ...(patterns.length > 0 && { patterns }),
          ...(format !== undefined && { format }),
        }
      }
      case 'number':
        return { kind, ...facts.number }
      case 'list':
        return this.#list(facts, sources)
      case 'object':
        return this.#object(facts, sources)
      default:
        return { kind }
    }
  }

  #list({ list }: Facts, sources: readonly Schema[]): ListField {
    const { first, rest = valid, isUnique, min, max } = list
    const tuples = objectsIn(sources).map((source) => tupleOf(source))
    const itemsOf = (index: number): Schema[] =>
      tuples.flatMap(({ prefix }) => (index < prefix.length ? [prefix[index] as Schema] : []))
    const prefix = tuples.find((each) => each.prefix.length > first.length)?.prefix ?? []
    // An item without constraints is only in the schema.
    const places = Math.max(first.length, prefix.length)
    const restOf = tuples.flatMap((each) => (each.rest === undefined ? [] : [each.rest]))
    return {
      kind: 'list',
      first: Array.from({ length: places }, (_, index) => this.field(first[index] ?? valid, itemsOf(index))),
      rest: this.field(rest, restOf),
      isUnique,
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    }
  }

  #object({ object }: Facts, sources: readonly Schema[]): ObjectField {
    const { properties, others, matching, closed, min, max } = object
    const schemas = objectsIn(sources)
    const propertySchemas = (name: string): Schema[] =>
      schemas.flatMap(({ properties: own = {} }) => (Object.hasOwn(own, name) ? [own[name] as Schema] : []))
    // In the order of the schema; a property without constraints is only in the schema.
    const declared = schemas.flatMap(({ properties: own = {} }) =>
      Object.keys(own).filter((name) => own[name] !== false),
    )
    const names = new Set([...declared, ...properties.keys()])
    const isOpen = closed === undefined
    const words = schemas.flatMap(({ additionalProperties }) =>
      additionalProperties === undefined ? [] : [additionalProperties],
    )
    return {
      kind: 'object',
      properties: Array.from(names, (name): Property => {
        const { isRequired = false, parts = [] } = properties.get(name) ?? {}
        return { name, isRequired, field: this.field(all(parts), propertySchemas(name)) }
      }),
      matching: matching.map(({ pattern, part }) => ({ pattern, field: this.field(part, []) })),
      ...(isOpen && { others: this.field(others ?? valid, words) }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    }
  }
}

const beyondForm = 'The check has constraints that the form does not show.'

const kindLabels: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'number',
  flag: 'true or false',
  null: 'null',
  list: 'list',
  object: 'object',
  never: 'nothing',
}

/** Removes parts from the tree and keeps the others in order. */
function without(tree: CheckTree, isPart: (part: CheckTree) => boolean): CheckTree {
  if (isPart(tree)) return valid
  if (tree.op === 'all') return all(tree.parts.map((part) => without(part, isPart)))
  if (tree.op !== 'when') return tree
  const part = without(tree.part, isPart)
  return isValid(part) ? valid : { ...tree, part }
}

/** Adds the schemas that apply together with a schema: `allOf`, and single alternatives. */
function withParts(sources: readonly Schema[]): Schema[] {
  return sources.flatMap((source): Schema[] => {
    if (!isJsonObject(source)) return [source]
    const { allOf = [], anyOf = [], oneOf = [] } = source as JsonSchema
    const single = [anyOf, oneOf].flatMap((each) => (each.length === 1 ? each : []))
    return [source, ...withParts([...allOf, ...single])]
  })
}

function withoutAlternatives(source: Schema): Schema {
  if (!isJsonObject(source)) return source
  const { title, description, default: given, ...rest } = source as JsonSchema
  return rest as Schema
}

function objectsIn(sources: readonly Schema[]): JsonSchema[] {
  return sources.filter((source): source is JsonSchema => isJsonObject(source))
}

function wordingOf(sources: readonly Schema[]): Wording {
  const first = (name: string, type: string): unknown =>
    objectsIn(sources)
      .map((source) => own(source, name))
      .find((value) => typeof value === type)
  const title = first('title', 'string') as string | undefined
  const description = first('description', 'string') as string | undefined
  const given = objectsIn(sources).find((source) => Object.hasOwn(source, 'default'))
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(first('deprecated', 'boolean') === true && { deprecated: true }),
    ...(given && { default: given.default }),
  }
}

/** Names an alternative: by its title, its tag, its definition, or its type. */
function labelOf(field: Field, schema: Schema | undefined, { tag }: Union, index: number): string {
  const title = schema === undefined ? undefined : wordingOf([schema]).title
  if (title !== undefined) return title
  const values = tag?.values[index]
  if (values)
    return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
  if (field.kind === 'reference') return field.name.slice(field.name.lastIndexOf('/') + 1)
  if (field.kind === 'choice') return briefly(field.values)
  if (field.kind === 'text' && field.format !== undefined) return field.format
  if (field.kind === 'object') {
    const names = field.properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    return names.length > 0 ? `object with ${names.slice(0, 3).join(', ')}` : 'object'
  }
  if (field.kind === 'number' && field.isInteger) return 'whole number'
  if (field.kind === 'any') return 'anything'
  return field.kind === 'union' ? 'one of several' : kindLabels[field.kind]
}

function briefly(values: readonly unknown[]): string {
  const said = values.slice(0, 3).map((value) => JSON.stringify(value))
  return said.join(', ') + (values.length > said.length ? ', …' : '')
}

/** Numbers alternatives with the same name. */
function withUniqueLabels(alternatives: readonly Alternative[]): Alternative[] {
  const labels = alternatives.map(({ label }) => label)
  return alternatives.map((each, index) =>
    labels.indexOf(each.label) === labels.lastIndexOf(each.label)
      ? each
      : { ...each, label: `${each.label} (${index + 1})` },
  )
}
