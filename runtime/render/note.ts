import { isJsonObject } from '../json/json.ts'
import { limitingKeywords } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { oneLine, quote } from './prompt-text.ts'

/** Keywords whose schemas no type expresses: their JSON is noted. */
const conditions = [
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
]

let noted: readonly string[] | undefined

/**
 * Returns the keywords that are noted after a type, since a type cannot express them (`uniqueItems` is handled separately).
 * Computed on first use, so that a bundle which renders nothing can drop the table of keywords.
 */
function notedKeywords(): readonly string[] {
  noted ??= [...new Set([...limitingKeywords(), ...conditions, 'default'])].filter(
    (keyword) => keyword !== 'uniqueItems',
  )
  return noted
}

/** The label before a keyword's value, if there is a shorter one than its name. */
const words: Readonly<Record<string, string>> = {
  format: '',
  pattern: 'matches ',
  minimum: '>= ',
  maximum: '<= ',
  exclusiveMinimum: '> ',
  exclusiveMaximum: '< ',
  minProperties: 'min keys ',
  maxProperties: 'max keys ',
}

/** Renders what a type cannot express about a schema as a line comment with a leading space; `''` if there is nothing. */
export function note(schema: Schema): string {
  const text = noteText(schema)
  return text === '' ? '' : ` // ${text}`
}

/** Renders what a type cannot express about a schema as one line of text; `''` if there is nothing. */
export function noteText(schema: Schema): string {
  if (typeof schema === 'boolean') return ''
  const description = [schema.description, schema.title].find((text) => typeof text === 'string')
  const facts = factsOf(schema)
  const parts = [oneLine(description ?? ''), facts.length > 0 ? `(${facts.join(', ')})` : '']
  return parts.filter((part) => part !== '').join(' ')
}

function factsOf(schema: JsonSchema): string[] {
  const facts: string[] = []
  const types = [schema.type].flat()
  if (types.includes('integer') && !types.includes('number')) facts.push('integer')
  if (schema.uniqueItems === true) facts.push('unique items')
  for (const keyword of notedKeywords()) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
    // The type of a tuple already shows its length.
    if (keyword === 'minItems' && value === schema.prefixItems?.length) continue
    if (value === undefined) continue
    const before = words[keyword] ?? spacedOut(keyword)
    facts.push(before + (keyword === 'format' ? oneLine(String(value)) : plain(value)))
  }
  if (schema.deprecated === true) facts.push('deprecated')
  // Only properties have lines of their own; the notes of a single alternative and of items go here.
  const present = [...(schema.anyOf ?? schema.oneOf ?? [])].filter(
    (part) => isJsonObject(part) && part.type !== 'null',
  )
  const [only] = present
  if (present.length === 1 && isJsonObject(only)) facts.push(...factsOf(only))
  if (isJsonObject(schema.items)) {
    const each = noteText(schema.items)
    if (each !== '') facts.push(`each: ${each}`)
  }
  return facts
}

/** Splits a keyword into words: `minLength` becomes `min length `. */
function spacedOut(keyword: string): string {
  return `${keyword.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)} `
}

function plain(value: unknown): string {
  return typeof value === 'string' ? quote(value) : oneLine(JSON.stringify(value))
}
