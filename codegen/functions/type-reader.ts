import { ts } from 'ts-morph'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import type { Conversion, ConvertedMember } from '../function-implementation.ts'
import { isInheritedName } from '../names/inherited-name.ts'
import { strayConstraints, withConstraints } from './constraints.ts'
import { memberDocs } from './doc-tags.ts'
import type { NamedTypes } from './named-types.ts'
import type { Problems } from './problems.ts'
import type { ReadType, Site, TypeSource } from './read-type.ts'
import { templatePattern } from './template-pattern.ts'
import { kindOf, type TypeKind } from './type-kind.ts'
import { readUnion } from './union.ts'

/** A member of an object type. */
export interface ReadMember extends ReadType {
  readonly name: string
  readonly isOptional: boolean
}

/** The deepest nesting of named types. Deeper ones come from infinite types such as `Deep<T[]>` inside `Deep<T>`. */
const deepest = 40

/**
 * Reads TypeScript types as JSON Schema. A type that JSON cannot express is reported at its location and read as any value, so
 * that one run finds every problem.
 */
export class TypeReader implements TypeSource {
  readonly checker: ts.TypeChecker
  readonly #problems: Problems
  readonly #named: NamedTypes
  /** Whether an unknown type was found, which may be a platform type that the quick program does not load. */
  hasUnknown = false
  /** Number of named types around the current one. */
  #depth = 0

  constructor(checker: ts.TypeChecker, problems: Problems, named: NamedTypes) {
    this.checker = checker
    this.#problems = problems
    this.#named = named
  }

  /** Reads a type; a named one becomes a shared schema and a reference to it. */
  read(type: ts.Type, site: Site): ReadType {
    const named = this.#named.find(type)
    if (named === undefined) return this.#inline(type, site)
    const { name, isNew } = named
    if (isNew && this.#depth >= deepest) {
      return this.refuse(
        site,
        'the type grows without end',
        'Break the recursion with a type that stays the same.',
      )
    }
    if (isNew) {
      const declaration = named.declaration
      const docs = this.#docs(named.symbol, { ...site, node: declaration })
      const place = { node: declaration, path: name }
      this.#depth += 1
      const { schema, ...passed } = this.#inline(type, place)
      this.#depth -= 1
      this.#named.define(
        type,
        described(this.constrained(schema, docs.keywords, place), docs.description),
        passed,
      )
      if (passed.conversion && this.#named.isRecursive(type)) {
        this.refuse(place, 'a Date in a type that contains itself', 'Use a text with `@format date-time`.')
      }
    }
    return { schema: { $ref: name }, ...this.#named.passed(type) }
  }

  /** Reads the members of an object type that is inlined. */
  members(type: ts.Type, { node, path }: Site): ReadMember[] {
    const properties = this.checker.getPropertiesOfType(type)
    return properties.filter(isNamed).flatMap((property) => {
      const place = { node: declarationOf(property) ?? node, path: `${path}.${property.name}` }
      const type = this.checker.getTypeOfSymbolAtLocation(property, node)
      return isAlwaysAbsent(property, type) ? [] : [this.member(property, type, place)]
    })
  }

  /** Reads one member with its doc comment. */
  member(property: ts.Symbol, type: ts.Type, site: Site): ReadMember {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(type)
    const { schema, ...passed } = this.read(withoutUndefined(type, this.checker), site)
    const docs = this.#docs(property, site)
    if (isOptional) this.refuseInheritedDate(property.name, passed, site)
    return {
      ...passed,
      isNarrower:
        passed.isNarrower ||
        // Under `exactOptionalPropertyTypes` an undefined member differs from an absent one.
        holdsUndefined(property, type, this.checker) ||
        // The type of the Call's member includes what it inherits.
        (isOptional && isInheritedName(property.name)),
      name: property.name,
      isOptional,
      schema: described(this.constrained(schema, docs.keywords, site), docs.description),
    }
  }

  /** Reports an optional Date of a name under which every object has something, so that its absence cannot be told. */
  refuseInheritedDate(name: string, { conversion }: Pick<ReadType, 'conversion'>, site: Site): void {
    if (!conversion || !isInheritedName(name)) return
    this.refuse(site, 'an optional Date has a name that every object knows', 'Give it another name.')
  }

  /** Adds the keywords of tags to a schema, and reports those that limit none of its values. */
  constrained(schema: JsonSchema, keywords: JsonSchema, { node, path }: Site): JsonSchema {
    for (const tag of strayConstraints(schema, keywords)) {
      const message = `${path}: @${tag} limits nothing here, since it is not for values of this type.`
      this.#problems.add('function-tag', node, message, 'Remove it, or use a tag for this type.')
    }
    return withConstraints(schema, keywords)
  }

  /** Reports a type that JSON cannot express. */
  refuse({ node, path }: Site, what: string, fix: string): ReadType {
    this.#problems.add('function-type', node, `${path}: ${what}.`, fix)
    return { schema: {}, isNarrower: false }
  }

  #docs(symbol: ts.Symbol, site: Site): { description: string | undefined; keywords: JsonSchema } {
    return memberDocs(symbol, this.checker, (message) =>
      this.#problems.add(
        'function-tag',
        site.node,
        `${site.path}: ${message}`,
        'Correct the tag, or remove it.',
      ),
    )
  }

  #inline(type: ts.Type, site: Site): ReadType {
    const kind = kindOf(type, this.checker)
    switch (kind.is) {
      case 'unknown':
        this.hasUnknown = true
        return { schema: {}, isNarrower: false }
      case 'any':
        this.hasUnknown = true
        return this.refuse(
          site,
          'the type is any, or could not be resolved',
          'Give it a type; where any JSON will do, `unknown` says so.',
        )
      case 'refused':
        return this.refuse(site, kind.what, kind.fix)
      case 'scalar':
        return { schema: { type: kind.type }, isNarrower: false }
      case 'literal':
        return { schema: literal(kind.value), isNarrower: kind.isEnum }
      case 'template':
        return { schema: { type: 'string', pattern: templatePattern(kind.type) }, isNarrower: true }
      case 'branded': {
        const read = this.read(kind.base, site)
        return { ...read, isNarrower: true }
      }
      case 'date':
        return {
          schema: { type: 'string', format: 'date-time' },
          conversion: { of: 'date' },
          isNarrower: false,
        }
      case 'union':
        return readUnion(kind.parts, this, site)
      case 'constraint':
        return this.read(kind.type, site)
      case 'list':
        return this.#list(kind.item, kind.isReadonly, site)
      case 'tuple':
        return this.#tuple(kind, site)
      case 'anyObject':
        // Not narrower, but no index signature either, so that a returned one needs the cast.
        return { schema: { type: 'object' }, isNarrower: true }
      case 'object':
        return this.#object(type, kind, site)
    }
  }

  #list(item: ts.Type, isReadonly: boolean, site: Site): ReadType {
    const { schema, isNarrower, ...read } = this.read(item, { ...site, path: `${site.path}[]` })
    const conversion = conversionOf(read.conversion, item)
    return {
      schema: { type: 'array', items: schema },
      isNarrower: isNarrower || isReadonly || mayBeUndefined(item),
      ...(conversion && { conversion: { of: 'list', item: conversion } }),
    }
  }

  #tuple(tuple: Extract<TypeKind, { is: 'tuple' }>, site: Site): ReadType {
    const items = tuple.items.map((item, index) =>
      this.read(withoutUndefined(item, this.checker), { ...site, path: `${site.path}[${index}]` }),
    )
    const rest = tuple.rest && this.read(tuple.rest, { ...site, path: `${site.path}[…]` })
    const isNarrower =
      tuple.isReadonly ||
      tuple.items.some((item, index) => index < tuple.required && mayBeUndefined(item)) ||
      [...items, ...(rest ? [rest] : [])].some((read) => read.isNarrower)
    const schema: JsonSchema = {
      type: 'array',
      ...(items.length > 0 && {
        prefixItems: items.map((read, index) => described(read.schema, tuple.descriptions[index])),
      }),
      items: rest ? rest.schema : false,
      minItems: tuple.required,
    }
    const converts = items.some(({ conversion }) => conversion)
    if (rest?.conversion || (converts && tuple.required < items.length) || (converts && rest)) {
      return this.refuse(
        site,
        'a Date in a tuple with optional or rest items',
        'Use an object with named members, or a text with `@format date-time`.',
      )
    }
    if (!converts) return { schema, isNarrower }
    return {
      schema,
      isNarrower: true,
      conversion: {
        of: 'tuple',
        items: items.map((read, index) => conversionOf(read.conversion, tuple.items[index])),
      },
    }
  }

  #object(type: ts.Type, kind: Extract<TypeKind, { is: 'object' }>, site: Site): ReadType {
    const members = this.members(type, site)
    const valuesOf = (values: ts.Type, key: string): ReadType =>
      this.read(withoutUndefined(values, this.checker), { ...site, path: `${site.path}[${key}]` })
    // `Record<string, never>` is an object without members.
    const isClosed = kind.index !== undefined && (kind.index.flags & ts.TypeFlags.Never) !== 0
    const free = isClosed ? undefined : kind.index && valuesOf(kind.index, 'key')
    const matching = kind.patterns.map(({ pattern, type }) => ({ pattern, type, ...valuesOf(type, pattern) }))
    const values = [...(free ? [free] : []), ...matching]
    if (values.some(({ conversion }) => conversion) && members.length + values.length > 1) {
      return this.refuse(
        site,
        `a Date in an object with free keys beside ${members.length > 0 ? 'named members' : 'other keys'}`,
        'Give the free keys an object of their own.',
      )
    }
    const [only] = values
    const onlyType = kind.index ?? kind.patterns[0]?.type
    return {
      schema: {
        ...objectSchema(members),
        ...(matching.length > 0 && {
          patternProperties: Object.fromEntries(
            matching.map(({ pattern, schema }) => [pattern, schema as Schema]),
          ),
        }),
        ...((isClosed || values.length > 0) && {
          additionalProperties: free ? (free.schema as Schema) : false,
        }),
      },
      isNarrower:
        kind.isNarrower ||
        isClosed ||
        [...members, ...values].some((read) => read.isNarrower) ||
        [kind.index, ...kind.patterns.map(({ type }) => type)].some((each) => each && mayBeUndefined(each)),
      ...(only?.conversion
        ? { conversion: { of: 'record' as const, value: conversionOf(only.conversion, onlyType) } }
        : membersConversion(members)),
    }
  }
}

/** Wraps a conversion if the type also allows undefined. */
function conversionOf<Known extends Conversion | undefined>(
  conversion: Known,
  type: ts.Type | undefined,
): Known | { readonly of: 'absent'; readonly inner: Conversion } {
  return conversion && type && mayBeUndefined(type) ? { of: 'absent', inner: conversion } : conversion
}

/** Creates the schema of an object with these members. */
function objectSchema(members: readonly ReadMember[]): JsonSchema {
  const required = members.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  return {
    type: 'object',
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    }),
    ...(required.length > 0 && { required }),
  }
}

/** Returns the conversion of an object; none if no member needs one. */
export function membersConversion(members: readonly ReadMember[]): { conversion?: Conversion } {
  const converted = members.flatMap(({ name, isOptional, conversion }): ConvertedMember[] =>
    conversion ? [{ name, isOptional, conversion }] : [],
  )
  return converted.length === 0 ? {} : { conversion: { of: 'object', members: converted } }
}

/** Adds a description to a schema, if there is one. */
export function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}

export function mayBeUndefined(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(mayBeUndefined)
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0
}

/** Whether a member's declared type includes undefined explicitly, not only by `?`. */
function holdsUndefined(property: ts.Symbol, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!mayBeUndefined(type)) return false
  if (!(property.flags & ts.SymbolFlags.Optional)) return true
  const declaration = declarationOf(property)
  const written = declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined
  return written !== undefined && mayBeUndefined(checker.getTypeFromTypeNode(written))
}

/** Removes undefined from a type. The checker's own method would also drop null; readers of unions skip undefined anyway. */
export function withoutUndefined(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const hasNull = type.isUnion() && type.types.some((part) => (part.flags & ts.TypeFlags.Null) !== 0)
  return mayBeUndefined(type) && !hasNull ? checker.getNonNullableType(type) : type
}

function literal(value: string | number | boolean | null): JsonSchema {
  if (value === null) return { type: 'null' }
  return { type: typeof value, const: value }
}

/** Whether a member has a name in JSON; those with symbols as keys (`[Symbol.iterator]`) do not. */
export function isNamed(property: ts.Symbol): boolean {
  return !property.name.startsWith('__@')
}

/** Whether a member is never there: `error?: never`, or `error?: undefined` as TypeScript infers it for the branches of a union. */
export function isAlwaysAbsent(property: ts.Symbol, type: ts.Type): boolean {
  const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
  return isOptional && (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0
}

function declarationOf(symbol: ts.Symbol): ts.Node | undefined {
  return symbol.valueDeclaration ?? symbol.declarations?.[0]
}
