import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { byCodeUnit, isJsonObject } from '../../runtime/json/json.ts'
import { wording } from '../../runtime/keywords/keywords.ts'
import type { Meanings } from '../../runtime/schema/meanings.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { shortHash } from '../../runtime/schema/tool-name.ts'
import { definitionIdentifiers } from '../names/names.ts'
import type { Entry, Survey } from './survey.ts'

/** A schema that is emitted once, under a name. */
export interface Definition {
  readonly name: string
  readonly entry: Entry
  /** The occurrences of all schemas that share the name, with different annotations. */
  readonly forms: readonly JsonSchema[]
}

/**
 * Chooses the schemas that become definitions and names them. A name depends only on the schema and its users, so an
 * unrelated Tool never changes it.
 *
 * @param identifiers The identifier of each Tool.
 */
export function nameDefinitions(
  { entries, meanings }: Survey,
  identifiers: ReadonlyMap<string, string>,
): Map<JsonSchema, Definition> {
  const named = new Map<string, Entry[]>()
  for (const entry of entries.values()) {
    if (!becomesDefinition(entry)) continue
    const name = preferredName(entry, identifiers)
    named.set(name, [...(named.get(name) ?? []), entry])
  }
  const unique = new Map([...named].flatMap(([name, sharers]) => apart(name, sharers, meanings)))
  const identifierOf = definitionIdentifiers(unique.keys(), identifiers)
  const definitions = new Map<JsonSchema, Definition>()
  for (const [name, alike] of unique) {
    const forms = alike.flatMap((entry) => entry.forms)
    for (const entry of alike) {
      definitions.set(entry.node, { name: identifierOf.get(name) ?? name, entry, forms })
    }
  }
  return definitions
}

function becomesDefinition(entry: Entry): boolean {
  if (entry.referred) return true
  if (entry.tool !== undefined || entry.uses === Number.NEGATIVE_INFINITY || isReference(entry.node))
    return false
  if (entry.id !== undefined || entry.exported !== undefined) return true
  return entry.tools.size > 1 && entry.uses > 1 && isCompound(entry.node)
}

/** Whether a schema is only a reference. It needs no name: its target has one. */
function isReference(node: JsonSchema): boolean {
  return node.$ref !== undefined
}

/** Whether a schema is worth sharing. A bare `{ "type": "string" }` is shorter than a reference to it. */
function isCompound(node: JsonSchema): boolean {
  return Object.entries(node).some(([keyword, value]) => {
    if (wording.includes(keyword)) return false
    return isJsonObject(value) || (Array.isArray(value) && keyword !== 'type' && keyword !== 'required')
  })
}

function preferredName(entry: Entry, identifiers: ReadonlyMap<string, string>): string {
  const { id, exported, tool, key, owner, tools, node, property } = entry
  if (id !== undefined) return nameOfId(id)
  if (exported !== undefined) return exported
  const identifier = (name: string) => identifiers.get(name) ?? name
  if (tool !== undefined) return `${identifier(tool)} Schema`
  const own = key ?? node.title ?? property ?? 'Shared'
  const [only] = tools
  const inside = owner ?? (tools.size === 1 && only !== undefined ? identifier(only) : undefined)
  return key !== undefined && inside !== undefined ? `${inside} ${own}` : own
}

/** Returns the last path segment of an `$id`, without its extension. */
function nameOfId(id: string): string {
  const [path = ''] = id.split(/[?#]/)
  const last = path.split('/').filter(Boolean).at(-1) ?? id
  return last.replace(/\.(schema\.)?json$/, '')
}

/**
 * Resolves a name clash. Equal schemas share the name. Among different ones, the schema of the first Tool by code unit
 * keeps it, and the others get a hash of their content as a suffix.
 */
function apart(name: string, entries: readonly Entry[], meanings: Meanings): [string, Entry[]][] {
  if (entries.length === 1) return [[name, [...entries]]]
  const byContent = new Map<string, Entry[]>()
  const sorted = entries.map((entry) => ({
    entry,
    first: firstTool(entry),
    content: canonicalJson(entry.node),
  }))
  sorted.sort((left, right) => byCodeUnit(left.first, right.first) || byCodeUnit(left.content, right.content))
  for (const { entry, content } of sorted) byContent.set(content, [...(byContent.get(content) ?? []), entry])
  return [...byContent]
    .flatMap(([content, alike]) => byMeaning(content, alike, meanings))
    .map(([content, alike], index) => [index === 0 ? name : `${name} ${shortHash(content)}`, alike])
}

/** Separates schemas of the same text that refer to different ones; only the first has the hash of that text. */
function byMeaning(content: string, alike: readonly Entry[], meanings: Meanings): [string, Entry[]][] {
  const groups: Entry[][] = []
  for (const entry of alike) {
    const same = groups.find(([other]) => other && meanings.areSame(other.node, entry.node))
    if (same) same.push(entry)
    else groups.push([entry])
  }
  const [only] = groups
  if (only && groups.length === 1) return [[content, only]]
  return groups
    .map((group): [string, Entry[]] => [textOf((group[0] as Entry).node, meanings), group]) // safe cast: none is empty
    .sort(([left], [right]) => byCodeUnit(left, right))
    .map(([text, group], index) => [index === 0 ? content : text, group])
}

/** Returns a text that depends on what a schema, and all that it refers to, say, and on nothing else. */
function textOf(schema: JsonSchema, meanings: Meanings): string {
  const indexes = new Map([[schema, 0]])
  const indexOf = (target: JsonSchema): number => {
    const index = indexes.get(target) ?? indexes.size
    indexes.set(target, index)
    return index
  }
  // Iterating a Map also visits what is added meanwhile.
  return Array.from(indexes.keys(), (each) => {
    const { text, targets } = meanings.factsOf(each)
    return `${text} ${targets.map(indexOf)}`
  }).join('\n')
}

function firstTool({ tools }: Entry): string {
  return [...tools].sort(byCodeUnit)[0] ?? ''
}
