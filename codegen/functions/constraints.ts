import { keywordOf } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'

/** The result of reading a constraint tag: keywords, or a sentence about the expected text. */
type Reading = JsonSchema | string

const count =
  (keyword: string) =>
  (text: string): Reading =>
    /^\d+$/.test(text) ? { [keyword]: Number(text) } : 'a whole number, 0 or more'
const number =
  (keyword: string) =>
  (text: string): Reading =>
    text !== '' && Number.isFinite(Number(text)) ? { [keyword]: Number(text) } : 'a number'
const flag =
  (keywords: JsonSchema) =>
  (text: string): Reading =>
    text === '' ? keywords : 'alone'

/** The JSDoc tags that constrain a value, with the function that converts their text to keywords. */
const constraintTags: Readonly<Record<string, (text: string) => Reading>> = {
  minimum: number('minimum'),
  maximum: number('maximum'),
  exclusiveMinimum: number('exclusiveMinimum'),
  exclusiveMaximum: number('exclusiveMaximum'),
  multipleOf: number('multipleOf'),
  minLength: count('minLength'),
  maxLength: count('maxLength'),
  minItems: count('minItems'),
  maxItems: count('maxItems'),
  uniqueItems: flag({ uniqueItems: true }),
  pattern: (text) => (isPattern(text) ? { pattern: text } : 'a regular expression without slashes around it'),
  format: (text) =>
    /^[a-z][a-z0-9-]*$/.test(text) ? { format: text } : 'the name of a format, such as email',
  integer: flag({ type: 'integer' }),
  default: (text) => ({ default: jsonOrText(text) }),
  deprecated: () => ({ deprecated: true }),
}

/** The tags that limit values. Without one of them, values are accepted that should not be. */
export const limitingTags: readonly string[] = Object.keys(constraintTags).filter(
  (name) => name !== 'default' && name !== 'deprecated',
)

/** Whether a tag constrains a value. */
export function isConstraint(tag: string): boolean {
  return Object.hasOwn(constraintTags, tag)
}

/** Returns the keywords of a constraint tag, or a sentence about the expected text. */
export function readConstraint(tag: string, text: string): Reading {
  const read = isConstraint(tag) ? constraintTags[tag] : undefined
  return read ? read(text.trim()) : {}
}

/** Adds the keywords of tags to a schema; `@integer` narrows a number in its type. */
export function withConstraints(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  const { type, ...rest } = keywords
  const limits = type !== undefined || Object.keys(rest).some((key) => isAssertion(key))
  if (schema.anyOf && limits) {
    // `number | null` with `@minimum`: the bound applies to the number branch.
    const [branch, ...others] = schema.anyOf.filter((each) => !isNull(each))
    if (branch !== undefined && typeof branch === 'object' && others.length === 0) {
      const { default: value, deprecated, ...own } = keywords
      const about = {
        ...(value !== undefined && { default: value }),
        ...(deprecated === true && { deprecated }),
      }
      return { ...schema, anyOf: [withConstraints(branch, own), { type: 'null' }], ...about }
    }
  }
  return { ...schema, ...(type !== undefined && schema.type === 'number' && { type }), ...rest }
}

/** Returns the tags that limit no value of a schema, such as `minLength` for a number. A reference is not followed. */
export function strayConstraints(schema: JsonSchema, keywords: JsonSchema): string[] {
  const types = typesOf(schema)
  if (types === undefined) return []
  return Object.keys(keywords).flatMap((keyword) => {
    const about = keyword === 'type' ? ['number'] : keywordOf(keyword)?.about
    if (!isAssertion(keyword) || about?.some((type) => types.includes(type)) !== false) return []
    return [keyword === 'type' ? 'integer' : keyword]
  })
}

/** Returns the types of a schema's values; undefined if it does not tell. */
function typesOf({ type, anyOf }: JsonSchema): string[] | undefined {
  if (type !== undefined) return [type].flat()
  const parts = anyOf?.map((part) => (typeof part === 'object' ? typesOf(part) : undefined))
  return parts?.every((part) => part !== undefined) ? parts.flat() : undefined
}

function isAssertion(keyword: string): boolean {
  return keyword !== 'default' && keyword !== 'deprecated'
}

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
}

function isPattern(text: string): boolean {
  if (text === '' || /^\/.*\/[a-z]*$/.test(text)) return false
  try {
    new RegExp(text, 'u')
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Reads `@default 20` as a number and `@default Oslo` as a string, since strings in comments are rarely quoted. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text.replace(/^'(.*)'$/, '$1')
    throw error
  }
}
