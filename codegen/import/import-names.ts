import { isToolName, shortHash } from '../../runtime/schema/tool-name.ts'
import { toIdentifier } from '../names/names.ts'
import { toolNameRule } from '../names/tool-name-rule.ts'

/** Words that cannot name a `const` in a module, and names that definitions files import or must not shadow. */
const takenWords = new Set(
  (
    'Type tool arguments async await break case catch class const continue debugger default delete do else enum eval ' +
    'export extends false finally for function if implements import in instanceof interface let new null package ' +
    'private protected public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

/** Explains why TOOL-3 does not allow a name. */
export function whyNoToolName(name: string): string {
  const reserved = name.split('.').find((part) => part !== '' && !isToolName(part) && isToolName(`${part}_`))
  return reserved === undefined ? toolNameRule : `JavaScript reserves ${reserved}`
}

/**
 * Returns the nearest name that TOOL-3 allows: invalid characters become `_`.
 *
 * @example legalName('../My tool!') // 'My_tool'
 */
export function legalName(name: string): string {
  const segments = name
    .split('.')
    .map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[_-]+(?=[A-Za-z])|_+$/g, ''))
    .filter((part) => part !== '')
    .map((part) => (isToolName(part) ? part : `_${part}`))
  const legal = segments.join('.').slice(0, longestSuggestion)
  return isToolName(legal) ? legal : `tool_${shortHash(name)}`
}

const longestSuggestion = 120

/**
 * Returns the constant of each tool, camelCase and unique. An added tool never renames another, unless both have the same
 * identifier.
 *
 * @param names Sorted, so that the same names always give the same identifiers.
 */
export function constantNames(names: readonly string[]): Map<string, string> {
  const used = new Set<string>()
  const constants = new Map<string, string>()
  for (const name of names) {
    const plain = camelCase(name)
    let constant = takenWords.has(plain) ? `${plain}Tool` : plain
    for (let salt = ''; used.has(constant); salt += '#') constant = `${plain}_${shortHash(name + salt)}`
    used.add(constant)
    constants.set(name, constant)
  }
  return constants
}

/** `list_issues` -> `listIssues`, `URLFetch` -> `urlFetch`, `ID` -> `id`. */
function camelCase(name: string): string {
  const identifier = toIdentifier(name)
  const firstWord = /[A-Za-z0-9]*/.exec(identifier.slice(0, /[A-Za-z0-9]+/.exec(name)?.[0].length))?.[0] ?? ''
  const capitals = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/
  return firstWord.replace(capitals, (letters) => letters.toLowerCase()) + identifier.slice(firstWord.length)
}
