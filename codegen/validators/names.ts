import { isIdentifierName } from '../print/local-name.ts'
import { isPlainName, stringSource } from './literal.ts'
import type { Scope } from './scope.ts'

/** Returns the export name of a shared definition's verdict; never the name of a helper. */
export function verdictName(definition: string): string {
  if (isIdentifierName(definition)) return `${definition}Verdict`
  throw new TypeError(`The definition ${JSON.stringify(definition)} needs a name that TypeScript can spell.`)
}

/** Prints the access to a property. Names that every object inherits are read as own properties only. */
export function propertySource(value: string, name: string, scope: Scope): string {
  if (inherited.has(name)) return `${scope.helper('own')}(${value}, ${stringSource(name)})`
  return isPlainName(name) ? `${value}.${name}` : `${value}[${stringSource(name)}]`
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))
