import { toIdentifier } from '../names/names.ts'

/** What no import can be called: the words of the language, and those that modules keep. */
const reservedWords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof var void while with yield'
  ).split(' '),
)

/** True for a name that stands in source text as it is. */
export function isIdentifierName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
}

/** The name under which a module can know what another one exports under any name, such as `default`. */
export function localName(exported: string): string {
  if (reservedWords.has(exported)) return `${exported}_`
  return isIdentifierName(exported) ? exported : toIdentifier(exported)
}
