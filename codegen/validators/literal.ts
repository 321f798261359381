import { literalIn } from '../print/literal.ts'

/**
 * Prints JSON as a JavaScript literal that no content of a schema can break out of: no quote, comment end, line separator, half of
 * a surrogate pair, closing script tag, or prototype set by an object literal.
 */
export function literalSource(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return stringSource(value)
  if (Array.isArray(value)) return `[${value.map(literalSource).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${keySource(key)}: ${literalSource(inner)}`)
    return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}'
  }
  return Object.is(value, -0) ? '0' : String(value)
}

/** Prints a string, always in single quotes, by which the printer recognises data in its code. */
export function stringSource(text: string): string {
  return literalIn("'", text).replaceAll('</', '<\\/').replaceAll('*/', '*\\/')
}

/** A computed key makes even `__proto__` an ordinary property. */
function keySource(key: string): string {
  return isPlainName(key) ? key : key === '__proto__' ? `['__proto__']` : stringSource(key)
}

/** True for an ASCII name that can follow a dot. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__'
}
