import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { note } from './note.ts'
import { quote } from './prompt-text.ts'

/** Deepest nesting that is rendered; deeper types become `unknown`, since they would not help a model. */
const maximumDepth = 12

/** Longest object on one line, in characters; longer ones, and those with notes, take a line for each property. */
const longestLine = 80

/** Returns the type name for a reference into `$defs`. */
export type NameOf = (reference: string) => string

/** A rendered type. */
interface Type {
  readonly text: string
  /** True if it needs parentheses next to other types, as `A | B` does. */
  readonly isCompound: boolean
}

const unknown: Type = simple('unknown')

/** Renders a schema as a TypeScript type, in few tokens. What types cannot express goes into line comments (see {@link note}). */
export function typeText(schema: Schema, nameOf: NameOf): string {
  return typeOf(schema, nameOf, 0).text
}

/**
 * Renders what a schema says of an object beside its properties, to stand next to their type: its alternatives and further keys;
 * `''` if there is nothing.
 */
export function besideText(schema: JsonSchema, nameOf: NameOf): string {
  const { additionalProperties, patternProperties, anyOf, oneOf, allOf } = schema
  const keys = {
    type: 'object',
    ...(isJsonObject(additionalProperties) && { additionalProperties }),
    ...(patternProperties && { patternProperties }),
  }
  const hasKeys = Object.keys(keys).length > 1
  const whole = {
    ...(hasKeys && keys),
    ...(anyOf && { anyOf }),
    ...(oneOf && { oneOf }),
    ...(allOf && { allOf }),
  }
  const type = typeOf(whole as JsonSchema, nameOf, 0)
  return type.text === unknown.text ? '' : ` & ${grouped(type)}`
}

/** Renders one property of an object type, with its note. */
export function memberText(
  name: string,
  schema: Schema,
  isOptional: boolean,
  nameOf: NameOf,
  depth = 0,
): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
  return `${key}${isOptional ? '?' : ''}: ${typeOf(schema, nameOf, depth + 1).text}${note(schema)}`
}

/** Puts properties between braces: on one line if they fit, otherwise on a line each. */
export function objectText(members: readonly string[]): string {
  if (members.length === 0) return '{}'
  const line = `{ ${members.join('; ')} }`
  const fits = line.length <= longestLine && !line.includes('\n') && !line.includes('//')
  return fits ? line : `{\n${members.map((member) => member.replace(/^/gm, '  ')).join('\n')}\n}`
}

function typeOf(schema: Schema, nameOf: NameOf, depth: number): Type {
  if (typeof schema === 'boolean') return schema ? unknown : simple('never')
  if (depth > maximumDepth) return unknown
  const inner = (part: Schema): Type => typeOf(part, nameOf, depth + 1)
  const parts: Type[] = []
  if (typeof schema.$ref === 'string') parts.push(simple(nameOf(schema.$ref)))
  if (Object.hasOwn(schema, 'const')) parts.push(simple(literal(schema.const)))
  else if (schema.enum) parts.push(union(schema.enum.map((value) => simple(literal(value)))))
  else parts.push(ownType(schema, nameOf, depth))
  for (const list of [schema.anyOf, schema.oneOf]) if (list) parts.push(union(list.map(inner)))
  parts.push(...(schema.allOf ?? []).map(inner))
  return intersection(parts)
}

function ownType(schema: JsonSchema, nameOf: NameOf, depth: number): Type {
  const type = schema.type ?? (schema.properties || schema.required ? 'object' : undefined)
  if (Array.isArray(type)) return union(type.map((one) => ownType({ ...schema, type: one }, nameOf, depth)))
  switch (type) {
    case 'object':
      return ofObject(schema, nameOf, depth)
    case 'array':
      return ofArray(schema, nameOf, depth)
    case 'integer':
      return simple('number')
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return simple(type)
    default:
      return unknown
  }
}

function ofObject(schema: JsonSchema, nameOf: NameOf, depth: number): Type {
  const { properties = {}, additionalProperties, patternProperties = {} } = schema
  const required = new Set(schema.required)
  const members = Object.entries(properties).map(([name, property]) =>
    memberText(name, property, !required.has(name), nameOf, depth),
  )
  for (const name of required) {
    if (!Object.hasOwn(properties, name)) members.push(memberText(name, true, false, nameOf, depth))
  }
  const others = Object.values(patternProperties)
  if (isJsonObject(additionalProperties)) others.push(additionalProperties)
  if (others.length === 0 && members.length === 0 && additionalProperties !== false) return simple('object')
  if (others.length === 0) return simple(objectText(members))
  const index = simple(
    `{ [key: string]: ${union(others.map((other) => typeOf(other, nameOf, depth + 1))).text} }`,
  )
  return members.length === 0 ? index : intersection([simple(objectText(members)), index])
}

function ofArray({ prefixItems, items }: JsonSchema, nameOf: NameOf, depth: number): Type {
  const inner = (part: Schema): Type => typeOf(part, nameOf, depth + 1)
  const rest = items === undefined || Array.isArray(items) ? true : items
  if (!prefixItems) return simple(`${grouped(inner(rest))}[]`)
  const elements = prefixItems.map((part) => inner(part).text)
  if (rest !== false) elements.push(`...${grouped(inner(rest))}[]`)
  return simple(`[${elements.join(', ')}]`)
}

function simple(text: string): Type {
  return { text, isCompound: false }
}

function union(types: readonly Type[]): Type {
  const distinct = [...new Set(types.map(({ text }) => text))]
  if (distinct.includes('unknown')) return unknown
  return {
    text: distinct.join(' | '),
    isCompound: types.some(({ isCompound }) => isCompound) || distinct.length > 1,
  }
}

function intersection(types: readonly Type[]): Type {
  const distinct = [...new Map(types.map((type) => [type.text, type])).values()].filter(
    ({ text }) => text !== 'unknown',
  )
  const [only] = distinct
  if (only === undefined) return unknown
  return distinct.length === 1 ? only : { text: distinct.map(grouped).join(' & '), isCompound: true }
}

function grouped({ text, isCompound }: Type): string {
  return isCompound ? `(${text})` : text
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  const members = Object.entries(value).map(([name, member]) => `${quote(name)}: ${literal(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}
