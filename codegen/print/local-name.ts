import { toIdentifier } from '../names/names.ts'

/** Names that no import can have: words of the language, and names reserved in modules. */
const reservedWords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield'
  ).split(' '),
)

/** True for a name that is a valid identifier. */
export function isIdentifierName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
}

/** Returns a local name for an import of any name, such as `default`. */
export function localName(exported: string): string {
  if (reservedWords.has(exported)) return `${exported}_`
  return isIdentifierName(exported) ? exported : toIdentifier(exported)
}
