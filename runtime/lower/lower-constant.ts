import { isOfType, type TypeName } from '../checks/scalars.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isSameJson } from '../json/same-json.ts'
import { isAssertion } from '../keywords/keywords.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import type { Codec } from './codec/codec.ts'
import type { Lowered, Lowering } from './lowering.ts'
import { typeOf } from './nullable.ts'
import { described, words } from './words.ts'

const constantKeywords = ['type', 'const', 'enum']

/** Lowers `const` and `enum` to the dialect's way of listing values, with the `type` that strict providers require. */
export function lowerConstant(node: JsonSchema, lowering: Lowering): Lowered | undefined {
  const values = allowedValues(node)
  if (values.length === 0) return undefined
  const { dialect } = lowering
  if (values.some((value) => needsText(value, dialect))) {
    return textConstant(node, values, lowering)
  }
  const rest = applyKeywords(node, constantKeywords, lowering)
  const canList = (type: string): boolean =>
    dialect.constantTypes.includes(type as never) || type === 'object'
  const types = [...new Set(values.map(typeOf))]
  const inOne = types.every(canList) && (types.length === 1 || dialect.typeLists === 'any')
  if (inOne || types.length === 1) {
    const alone = inOne ? listed(values, node, lowering) : unlisted(types[0] as string, node, lowering)
    return { schema: withKeywords(alone, rest), value: capitals(values, lowering) }
  }
  const branches = types.map((type) => {
    const group = values.filter((value) => typeOf(value) === type)
    return canList(type) ? listed(group, node, lowering) : unlisted(type, node, lowering)
  })
  return { schema: { ...rest, anyOf: branches }, value: capitals(values, lowering) }
}

/** True for a value that the dialect lists only as its JSON text. */
function needsText(value: unknown, { untyped, emptyText }: Dialect): boolean {
  return (value === '' ? emptyText : typeof value === 'object' && value !== null && untyped) === 'json'
}

function allowedValues({ const: one, enum: list, type }: JsonSchema): unknown[] {
  const values = one === undefined ? (list ?? []) : [one]
  const types = type === undefined ? undefined : Array.isArray(type) ? type : [type]
  return values.filter(
    (value) =>
      (types === undefined || types.some((name) => isOfType(value, name as TypeName))) &&
      (one === undefined || list === undefined || list.some((other) => isSameJson(other, value))),
  )
}

function listed(values: readonly unknown[], node: JsonSchema, { dialect }: Lowering): JsonSchema {
  const numberType = numberTypeOf(values, node)
  const types = [...new Set(values.map((value) => (typeof value === 'number' ? numberType : typeOf(value))))]
  const type = types.length === 1 ? (types[0] as string) : types
  if (values.length === 1 && values[0] === null) return { type: 'null' }
  return values.length === 1 && dialect.constant === 'const'
    ? { type, const: values[0] }
    : { type, enum: [...values] }
}

/** Whole numbers have the type integer, unless the schema allows any number or the list contains other numbers. */
function numberTypeOf(values: readonly unknown[], { type }: JsonSchema): string {
  const declared = Array.isArray(type) ? type : [type]
  const wholeOnly = values.every((other) => typeof other !== 'number' || Number.isInteger(other))
  return wholeOnly && !declared.includes('number') ? 'integer' : 'number'
}

/**
 * Lowers values of a type that the dialect cannot list to the type, with the values described. Both booleans need no
 * description.
 */
function unlisted(type: string, node: JsonSchema, lowering: Lowering): JsonSchema {
  const keyword = node.const === undefined ? 'enum' : 'const'
  if (type === 'null' || (type === 'boolean' && node.enum?.includes(true) && node.enum.includes(false)))
    return { type }
  lowering.lose(node, keyword, 'described')
  return { type, description: words(keyword, node[keyword]) }
}

/** Lowers fixed values, objects and arrays above all, to their JSON text, a string that can be listed. */
function textConstant(node: JsonSchema, values: readonly unknown[], lowering: Lowering): Lowered {
  lowering.standIn(node, 'json')
  // These keywords apply to the values, and would be read as applying to their JSON texts.
  const spoken = Object.keys(node).filter(
    (keyword) => isAssertion(keyword) && !constantKeywords.includes(keyword),
  )
  for (const keyword of spoken) lowering.lose(node, keyword, 'dropped')
  const rest = applyKeywords(node, [...constantKeywords, ...spoken], lowering)
  const texts = values.map((value) => JSON.stringify(value))
  const schema: JsonSchema = { type: 'string', ...rest, enum: texts }
  // There is nothing to choose where one text is listed.
  const description = described(rest.description, texts.length > 1 ? ['As JSON text.'] : [])
  return { schema: description === undefined ? schema : { ...schema, description }, value: { kind: 'json' } }
}

function withKeywords(schema: JsonSchema, rest: JsonSchema): JsonSchema {
  const { type, description: own, ...constant } = schema
  const { description: given, ...kept } = rest
  const description = described(given, typeof own === 'string' ? [own] : [])
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...kept,
    ...constant,
  }
}

function capitals(values: readonly unknown[], { dialect }: Lowering): Codec | undefined {
  if (dialect.capitals !== 'unreliable') return undefined
  const texts = values.filter(
    (value) => typeof value === 'string' && value.toLowerCase() !== value.toUpperCase(),
  )
  return texts.length > 0 ? { kind: 'capitals', values: texts as string[] } : undefined
}
