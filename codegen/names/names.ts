import { byCodeUnit } from '../../runtime/json/json.ts'
import { shortHash } from '../../runtime/schema/tool-name.ts'
import { reservedTypeNames } from './reserved.ts'

/** The types that are generated for one Tool. No suffix ends in another, so two Tools never make one name. */
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

/** What the written form of a shared definition ends in. */
const writtenSuffix = 'WithReferences'

/**
 * PascalCase, keeping inner capitals; whatever cannot stand in an identifier, and `_`, is a word break.
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
 * One identifier per name (TOOL-3). Where two names give the same one, the first by code unit keeps it and each later
 * one takes a hash of its own name, so an unrelated name never changes it. A plain identifier has no inner `_`, so one
 * with a hash meets no other.
 *
 * @param isTaken Identifiers that must not be given as they are.
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
    // The salt matters only to two names with one identifier and one hash.
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
 * Identifiers of shared definitions: as {@link uniqueIdentifiers}, and apart from everything else that generated
 * modules declare, the types of these Tools, and TypeScript's own global types.
 *
 * @param toolIdentifiers What {@link uniqueIdentifiers} gave the Tools.
 */
export function definitionIdentifiers(
  names: Iterable<string>,
  toolIdentifiers: Iterable<string>,
): Map<string, string> {
  const toolTypes = new Set(
    [...toolIdentifiers].flatMap((identifier) => Object.values(toolTypeNames(identifier))),
  )
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

/** The constant of `schemas.ts` that holds a Tool's schema as text; of no name that JavaScript itself has. */
export function schemaConstant(identifier: string): string {
  return `${identifier}Schema`
}

/** The name of a shared definition in which References may stand for values (REF-1). */
export function writtenName(definition: string): string {
  return definition + writtenSuffix
}

/** Where a Tool's builder hangs below `calls`: `PhraseEmphasis.bold` is `calls.PhraseEmphasis.bold` (TYPE-6). */
export function memberPath(name: string): string[] {
  return name.split('.')
}
