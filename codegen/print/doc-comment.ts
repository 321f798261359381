import { limitingKeywords } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** Keywords that a type cannot express and that are printed in comments, with their positions in the output. */
const notedKeywords: ReadonlyMap<string, number> = new Map(
  [...limitingKeywords(), 'default'].map((keyword, place) => [keyword, place]),
)

/** Longest comment that is printed on one line, in columns. */
const width = 110

/** Longest note that is printed; a longer one would hide more than it tells. */
const longestNote = 160

/**
 * Prints lines as a doc comment for the declaration below, with a line feed at the end; `''` without any text. The text is escaped:
 * it cannot end the comment, and `@` in it starts no tag.
 *
 * @param lines Free text, such as a description; may contain line breaks.
 * @param tags Real tags, such as `@deprecated`.
 */
export function docComment(lines: readonly string[], tags: readonly string[] = [], indent = ''): string {
  if (lines.length === 0 && tags.length === 0) return ''
  const text = trimmed(lines.flatMap(harmlessLines))
  const fitsOneLine = text.length <= 1
  if (tags.length > 0) text.push(tags.join(' '))
  if (text.length === 0) return ''
  const inline = `${indent}/** ${text.join(' ')} */\n`
  if (fitsOneLine && inline.length <= width) return inline
  let body = ''
  for (const line of text) body += line === '' ? `${indent} *\n` : `${indent} * ${line}\n`
  return `${indent}/**\n${body}${indent} */\n`
}

/** Prints a schema's title, description and the constraints that its type cannot express as a doc comment. */
export function schemaDoc(schema: Schema, indent = ''): string {
  if (typeof schema === 'boolean') return ''
  const { title, description } = schema
  const lines: string[] = []
  if (typeof title === 'string') lines.push(title)
  if (typeof description === 'string') lines.push(description)
  return docComment(lines, schemaTags(schema), indent)
}

function schemaTags(schema: JsonSchema): string[] {
  const tags: string[] = []
  if (schema.deprecated === true) tags.push('@deprecated')
  if (schema.type === 'integer') tags.push('@integer')
  for (const keyword of notedIn(schema)) {
    const value = schema[keyword]
    const note = harmless(typeof value === 'string' && keyword !== 'default' ? value : JSON.stringify(value))
    if (note.length <= longestNote) tags.push(`@${keyword} ${note}`)
  }
  return tags
}

function notedIn(schema: JsonSchema): string[] {
  const found: string[] = []
  for (const keyword of Object.keys(schema)) if (notedKeywords.has(keyword)) found.push(keyword)
  const place = (keyword: string): number => notedKeywords.get(keyword) ?? 0
  return found.length < 2 ? found : found.sort((left, right) => place(left) - place(right))
}

/** Matches one line of printable ASCII without `@` and `*`: most descriptions. Much cheaper than escaping. */
const plain = /^[ -)+-?A-~]*$/

function harmlessLines(text: string): string[] {
  if (plain.test(text)) return [text.trimEnd()]
  return text.split(/\r\n|[\n\r\u2028\u2029\u0085]/).map(harmless)
}

function harmless(line: string): string {
  if (plain.test(line)) return line.trimEnd()
  return line
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{])@(?=\S)/g, '$1\\@')
    .trimEnd()
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '')
  const last = lines.findLastIndex((line) => line !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}
