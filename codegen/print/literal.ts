import { isJsonObject } from '../../runtime/json/json.ts'

/**
 * Matches characters that must be escaped in source text: control characters, line separators, invisible marks that reorder the
 * visible text, and halves of surrogate pairs, which UTF-8 cannot encode.
 */
const unprintable = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Matches printable ASCII that needs no escape: most strings. Much cheaper than escaping. */
const plain = /^[ !#-&(-[\]-~]*$/

const identifier = /^[A-Za-z_$][\w$]*$/

/** Prints any string as TypeScript source, in single quotes unless double ones save escapes. */
export function stringLiteral(text: string): string {
  return literalIn(text.includes("'") && !text.includes('"') ? '"' : "'", text)
}

/** Prints a string as TypeScript source in the given quotes. */
export function literalIn(quote: "'" | '"', text: string): string {
  if (plain.test(text)) return quote + text + quote
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(unprintable, (char) => shortEscapes[char] ?? unicodeEscape(char))
  return quote + escaped + quote
}

/** Prints a property's name in a type, in quotes unless it is a plain identifier. */
export function propertyName(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name)
}

/** Prints a method's name in a type, where a plain `new` begins a construct signature. */
export function methodName(name: string): string {
  return name === 'new' ? "'new'" : propertyName(name)
}

/** Prints the access to a property of an expression: `.name` or `['odd-name']`. */
export function propertyAccess(name: string): string {
  return identifier.test(name) ? `.${name}` : `[${stringLiteral(name)}]`
}

/**
 * Prints JSON data as a TypeScript expression on one line. A `__proto__` key is computed, since a plain one would set the
 * prototype.
 */
export function jsonExpression(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(jsonExpression).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  if (entries.length === 0) return '{}'
  return `{ ${entries.map(([name, member]) => `${expressionKey(name)}: ${jsonExpression(member)}`).join(', ')} }`
}

/** Prints a key of an object expression. */
export function expressionKey(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name)
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
