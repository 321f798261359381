import { isPlainName, stringSource } from './literal.ts'
import type { Scope } from './scope.ts'

/** The identifier under which the verdict of a shared definition is exported; never that of a helper. */
export function verdictName(definition: string): string {
  if (isPlainName(definition)) return `${definition}Verdict`
  throw new TypeError(`The definition ${JSON.stringify(definition)} needs a name that TypeScript can spell.`)
}

/** The source that reads a property: names that every object inherits count only as properties of its own. */
export function propertySource(value: string, name: string, scope: Scope): string {
  if (inherited.has(name)) return `${scope.helper('own')}(${value}, ${stringSource(name)})`
  return isPlainName(name) ? `${value}.${name}` : `${value}[${stringSource(name)}]`
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))
