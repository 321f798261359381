import { byCodeUnit } from '../../runtime/json/json.ts'
import { shortHash } from '../../runtime/schema/tool-name.ts'
import { reservedTypeNames } from './reserved.ts'

/** The names of the types generated for one Tool. No suffix ends in another, so the names of two Tools never collide. */
export interface ToolTypeNames {
  readonly call: string
  readonly arguments: string
  readonly meta: string
  readonly resolvedCall: string
  readonly output: string
  readonly activity: string
  /** The Tool's schema. */
  readonly tool: string
  readonly toolProperties: string
}

const typeSuffixes: ToolTypeNames = {
  call: 'Call',
  arguments: 'Arguments',
  meta: 'Meta',
  resolvedCall: 'Resolved',
  output: 'Output',
  activity: 'Activity',
  tool: 'Tool',
  toolProperties: 'ToolProperties',
}

/** Suffix of the type with the builders of a toolkit. */
const toolkitSuffix = 'Toolkit'

/** Suffix of the type of a shared definition that accepts References. */
const writtenSuffix = 'WithReferences'

/**
 * Converts a name to PascalCase, keeping inner capitals. `_` and characters that are invalid in identifiers separate words.
 *
 * @example toIdentifier('resolve-library-id') // 'ResolveLibraryId'
 */
export function toIdentifier(name: string): string {
  const words = name.normalize('NFC').match(/(?:(?!_)\p{ID_Continue})+/gu) ?? []
  const joined = words.map(capitalised).join('')
  if (joined === '') return 'Unnamed'
  return /^\p{ID_Start}/u.test(joined) ? joined : `_${joined}`
}

function capitalised(word: string): string {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}

/**
 * Assigns an identifier to each name (TOOL-3). If names collide, the first by code unit keeps the identifier and each later
 * one gets a hash of its own name as a suffix, so an unrelated name never changes it. Plain identifiers contain no `_`, so
 * one with a hash cannot collide with them.
 *
 * @param isTaken Identifiers that cannot be used without a hash.
 */
export function uniqueIdentifiers(
  names: Iterable<string>,
  isTaken: (identifier: string) => boolean = () => false,
): Map<string, string> {
  const given = new Map<string, string>()
  const used = new Set<string>()
  for (const name of [...new Set(names)].sort(byCodeUnit)) {
    const plain = toIdentifier(name)
    let identifier = isTaken(plain) ? hashed(plain, name) : plain
    // The salt is used only if two names have both identifier and hash in common.
    for (let salt = ''; used.has(identifier); salt += '#') identifier = hashed(plain, name + salt)
    used.add(identifier)
    given.set(name, identifier)
  }
  return given
}

function hashed(identifier: string, name: string): string {
  return `${identifier}_${shortHash(name)}`
}

/**
 * Assigns identifiers to shared definitions as {@link uniqueIdentifiers} does. Avoids the other declarations of generated
 * modules, the types of these Tools, and TypeScript's global types.
 *
 * @param tools The result of {@link uniqueIdentifiers} for the Tools: their identifiers by name.
 */
export function definitionIdentifiers(
  names: Iterable<string>,
  tools: ReadonlyMap<string, string>,
): Map<string, string> {
  const toolTypes = new Set([
    ...[...tools.values()].flatMap((identifier) => Object.values(toolTypeNames(identifier))),
    ...toolkitTypeNames(tools.keys()).values(),
  ])
  return uniqueIdentifiers(
    names,
    (identifier) =>
      reservedTypeNames.has(identifier) || identifier.endsWith(writtenSuffix) || toolTypes.has(identifier),
  )
}

/** @example toolTypeNames('WeatherCheck').call // 'WeatherCheckCall' */
export function toolTypeNames(identifier: string): ToolTypeNames {
  return {
    call: identifier + typeSuffixes.call,
    arguments: identifier + typeSuffixes.arguments,
    meta: identifier + typeSuffixes.meta,
    resolvedCall: identifier + typeSuffixes.resolvedCall,
    output: identifier + typeSuffixes.output,
    activity: identifier + typeSuffixes.activity,
    tool: identifier + typeSuffixes.tool,
    toolProperties: identifier + typeSuffixes.toolProperties,
  }
}

/**
 * Names the types of the toolkits that the names of Tools have, by the toolkits' own names.
 *
 * @example toolkitTypeNames(['Text.Case.upper']) // Map { 'Text' => 'TextToolkit', 'Text.Case' => 'TextCaseToolkit' }
 */
export function toolkitTypeNames(tools: Iterable<string>): Map<string, string> {
  const toolkits = [...tools].flatMap((name) => {
    const path = memberPath(name)
    return path.slice(1).map((_, index) => path.slice(0, index + 1).join('.'))
  })
  const identifiers = uniqueIdentifiers(toolkits)
  return new Map([...identifiers].map(([name, identifier]) => [name, identifier + toolkitSuffix]))
}

/** Names the constant of `schemas.ts` with a Tool's schema as text. The suffix avoids JavaScript's own names. */
export function schemaConstant(identifier: string): string {
  return `${identifier}Schema`
}

/** Names the type of a shared definition in which References may replace values (REF-1). */
export function writtenName(definition: string): string {
  return definition + writtenSuffix
}

/** Returns the path of a Tool's builder below `calls`: `PhraseEmphasis.bold` is `calls.PhraseEmphasis.bold` (TYPE-6). */
export function memberPath(name: string): string[] {
  return name.split('.')
}
