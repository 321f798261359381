import { isJsonObject } from '../../runtime/json/json.ts'

/**
 * What must not stand raw in source text: control characters, line separators, invisible marks that reorder what a
 * reader sees, and halves of surrogate pairs, which UTF-8 cannot hold.
 */
const unprintable = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Printable ASCII that needs no escape: most strings, and much cheaper to recognise than to treat. */
const plain = /^[ !#-&(-[\]-~]*$/

const identifier = /^[A-Za-z_$][\w$]*$/

/** A string as TypeScript source, in single quotes unless double ones save escapes; any string, hostile ones included. */
export function stringLiteral(text: string): string {
  return literalIn(text.includes("'") && !text.includes('"') ? '"' : "'", text)
}

/** A string as TypeScript source in the quotes that are given. */
export function literalIn(quote: "'" | '"', text: string): string {
  if (plain.test(text)) return quote + text + quote
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(unprintable, (char) => shortEscapes[char] ?? unicodeEscape(char))
  return quote + escaped + quote
}

/** A property's name in a type: as it is where it is a plain identifier, else quoted. */
export function propertyName(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name)
}

/** A property read off an expression: `.name` or `['odd-name']`. */
export function propertyAccess(name: string): string {
  return identifier.test(name) ? `.${name}` : `[${stringLiteral(name)}]`
}

/**
 * JSON data as a TypeScript expression on one line. A `__proto__` key is computed, since a plain one would set the
 * prototype instead of a property.
 */
export function jsonExpression(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(jsonExpression).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  if (entries.length === 0) return '{}'
  return `{ ${entries.map(([name, member]) => `${expressionKey(name)}: ${jsonExpression(member)}`).join(', ')} }`
}

/** A key of an object expression. */
export function expressionKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name)
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
