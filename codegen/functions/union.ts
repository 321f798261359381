import { ts } from 'ts-morph'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ReadType, Site, TypeSource } from './read-type.ts'

/**
 * Reads a union. Its literals become one `enum`, the rest `anyOf`, both sorted, since the compiler orders the members of a
 * union by their first occurrence in the whole program.
 */
export function readUnion(parts: readonly ts.Type[], reader: TypeSource, site: Site): ReadType {
  const values = parts.filter((part) => !(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)))
  const isNullable = values.some(isNull)
  const literals = values.filter(isPlainLiteral)
  const hasBoolean = values.filter((part) => part.flags & ts.TypeFlags.BooleanLiteral).length === 2
  const others = values.filter(
    (part) => !isNull(part) && !literals.includes(part) && !isBoolean(part, hasBoolean),
  )
  const read = others.map((part) => reader.read(part, site))

  if (read.length + literals.length > 1 && read.some(({ conversion }) => conversion)) {
    return reader.refuse(
      site,
      'a Date in a union with something else cannot be told from a text',
      'Use a text with `@format date-time`, or an object with a member that says which it is.',
    )
  }
  const branches = [
    ...enumsOf(literals, reader),
    ...(hasBoolean ? [{ type: 'boolean' }] : []),
    ...read.map(({ schema }) => schema),
  ]
  const unique = new Map(branches.map((schema) => [JSON.stringify(schema), schema]))
  const sorted = [...unique].sort(([left], [right]) => byCodeUnit(left, right)).map(([, schema]) => schema)
  const all = isNullable ? [...sorted, { type: 'null' }] : sorted
  const [only] = all
  const conversion = read.find((each) => each.conversion)?.conversion
  return {
    schema: all.length === 1 && only ? only : { anyOf: all },
    isNarrower: read.some(({ isNarrower }) => isNarrower) || literals.some(isEnumMember),
    ...(conversion && { conversion: isNullable ? { of: 'nullable', inner: conversion } : conversion }),
  }
}

/** Creates separate enums of strings and numbers, since a schema has one type. */
function enumsOf(literals: readonly ts.Type[], reader: TypeSource): JsonSchema[] {
  const texts = literals.flatMap((part) => (part.isStringLiteral() ? part.value : []))
  const numbers = literals.flatMap((part) => (part.isNumberLiteral() ? part.value : []))
  const flags = literals.flatMap((part) =>
    part.flags & ts.TypeFlags.BooleanLiteral ? reader.checker.typeToString(part) === 'true' : [],
  )
  return [
    ...enumOf('string', texts.sort(byCodeUnit)),
    ...enumOf(
      'number',
      numbers.sort((left, right) => left - right),
    ),
    ...enumOf('boolean', flags),
  ]
}

function enumOf(type: string, values: readonly unknown[]): JsonSchema[] {
  const [first, ...more] = [...new Set(values)]
  if (first === undefined) return []
  return more.length === 0 ? [{ type, const: first }] : [{ type, enum: [first, ...more] }]
}

function isNull(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Null) !== 0
}

/** Whether a literal is part of `boolean`, which the compiler treats as the union of true and false. */
function isBoolean(type: ts.Type, hasBoth: boolean): boolean {
  return hasBoth && (type.flags & ts.TypeFlags.BooleanLiteral) !== 0
}

function isPlainLiteral(type: ts.Type, _index: number, all: readonly ts.Type[]): boolean {
  if (type.isStringLiteral() || type.isNumberLiteral()) return true
  const isFlag = (part: ts.Type): boolean => (part.flags & ts.TypeFlags.BooleanLiteral) !== 0
  return isFlag(type) && all.filter(isFlag).length === 1
}

function isEnumMember(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.EnumLiteral) !== 0
}
