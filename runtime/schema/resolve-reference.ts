import { isJsonObject, own } from '../json/json.ts'
import type { JsonSchema } from './schema.ts'
import { followPointer, type Place, type SchemaDocument, type Target } from './schema-document.ts'

/** The targets that references in any definition can use: schemas by `$id`, and exported schemas by export name. */
export interface SharedTargets {
  readonly ids: ReadonlyMap<string, Target>
  readonly exports: ReadonlyMap<string, JsonSchema>
}

/**
 * Why a reference could not be resolved: its target does not exist, several different schemas have that name, or it is
 * outside the definitions.
 */
export type Unresolved = 'missing' | 'ambiguous' | 'external'

/**
 * Resolves a `$ref`, nearest targets first: a schema around it, a part of its own document, a schema with that `$id`
 * anywhere in the definitions, an exported schema of that name. Nothing is ever fetched.
 */
export function resolveReference(
  reference: string,
  place: Place,
  document: SchemaDocument,
  shared: SharedTargets,
): Target | Unresolved {
  const { resource } = place
  const [name = '', fragment] = splitFragment(reference)
  const base = name === '' ? undefined : named(name, place, document, shared)
  if (base === 'ambiguous') return base
  if (name !== '' && base === undefined) return isOutside(name) ? 'external' : 'missing'
  if (fragment === undefined || fragment === '') return base ?? { node: resource }
  if (!fragment.startsWith('/')) return anchored(fragment, base?.node ?? resource, document)
  // Many authors mean the whole document even below an `$id`; an embedded schema that was built separately means itself.
  const roots = base ? [base.node] : [resource, document.root, ...fromInside(place)]
  for (const root of roots) {
    const target = followPointer(root, fragment)
    if (target) return target
  }
  return 'missing'
}

/** Yields the schema at a place and those around it, the nearest first. */
function* fromInside(place: Place): Iterable<JsonSchema> {
  for (let at: Place | undefined = place; at; at = at.within) yield at.node
}

function splitFragment(reference: string): [string, string | undefined] {
  const at = reference.indexOf('#')
  return at === -1 ? [reference, undefined] : [reference.slice(0, at), reference.slice(at + 1)]
}

function named(
  name: string,
  place: Place,
  document: SchemaDocument,
  shared: SharedTargets,
): Target | 'ambiguous' | undefined {
  for (const id of new Set([name, absolute(name, place.resource.$id)])) {
    const target = enclosing(id, place) ?? inDocument(id, document) ?? shared.ids.get(id)
    if (target) return target
  }
  const exported = shared.exports.get(name)
  return exported && { node: exported }
}

/**
 * Finds the schema with an `$id` around the reference, or in the `$defs` of a schema around it. TypeBox gives each member of
 * a `Type.Cyclic` its key as `$id`, so that two of them in one Tool can share it and mean different schemas.
 */
function enclosing(id: string, place: Place): Target | undefined {
  for (const node of fromInside(place)) {
    const definition = own(node.$defs ?? {}, id)
    if (isJsonObject(definition) && (definition.$id ?? id) === id) return { node: definition, key: id }
    if (node.$id === id) return { node }
  }
  return undefined
}

function inDocument(id: string, { ids, defs, ambiguous }: SchemaDocument): Target | 'ambiguous' | undefined {
  return ambiguous.has(id) ? 'ambiguous' : (ids.get(id) ?? defs.get(id))
}

/** Finds the schema of an anchor in the resource; one of another resource if that is the only one. */
function anchored(
  anchor: string,
  resource: JsonSchema,
  { anchors }: SchemaDocument,
): Target | 'missing' | 'ambiguous' {
  const targets = anchors.get(anchor) ?? new Map<JsonSchema, Target | 'ambiguous'>()
  const target = targets.get(resource)
  if (target) return target
  const [only, ...others] = targets.values()
  return others.length > 0 ? 'ambiguous' : (only ?? 'missing')
}

/** Resolves a name against an `$id` that is a URL, as JSON Schema requires. */
function absolute(name: string, base: string | undefined): string {
  return base !== undefined && URL.canParse(name, base) ? new URL(name, base).href : name
}

function isOutside(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\.{0,2}\/|\.(json|ya?ml)$/i.test(name)
}
