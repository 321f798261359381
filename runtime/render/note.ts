import { isJsonObject } from '../json/json.ts'
import { limitingKeywords } from '../keywords/keywords.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { oneLine, quote } from './prompt-text.ts'

let noted: readonly string[] | undefined

/**
 * Constraints that a type cannot say, and what follows them; that items differ is said first. Made when it is first asked
 * for: a bundle that renders nothing then leaves the table of keywords out.
 */
function notedKeywords(): readonly string[] {
  noted ??= [...limitingKeywords(), 'default'].filter((keyword) => keyword !== 'uniqueItems')
  return noted
}

/** What stands before the value of a keyword where its name is not the shortest way to say it. */
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

/** What a schema says beyond its type, as a line comment with a space before it; `''` when it says nothing. */
export function note(schema: Schema): string {
  const text = noteText(schema)
  return text === '' ? '' : ` // ${text}`
}

/** What a schema says beyond its type, as free text on one line; `''` when it says nothing. */
export function noteText(schema: Schema): string {
  if (typeof schema === 'boolean') return ''
  const description = typeof schema.description === 'string' ? schema.description : schema.title
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
    // A tuple's type says how many.
    if (keyword === 'minItems' && value === schema.prefixItems?.length) continue
    if (value === undefined) continue
    const before = words[keyword] ?? spacedOut(keyword)
    facts.push(before + (keyword === 'format' ? oneLine(String(value)) : plain(value)))
  }
  if (schema.deprecated === true) facts.push('deprecated')
  // What stands inside has no line of its own unless it is a member.
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

/** The name as words: `minLength` as `min length `. */
function spacedOut(keyword: string): string {
  return `${keyword.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)} `
}

function plain(value: unknown): string {
  return typeof value === 'string' ? quote(value) : oneLine(JSON.stringify(value))
}
