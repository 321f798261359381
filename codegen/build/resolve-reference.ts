import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { followPointer, type Place, type SchemaDocument, type Target } from './schema-document.ts'

/** What all definitions together offer to references: schemas by `$id`, and exported schemas by the export's name. */
export interface SharedTargets {
  readonly ids: ReadonlyMap<string, Target>
  readonly exports: ReadonlyMap<string, JsonSchema>
}

/** A reference that could not be followed: it names nothing here, or something outside of the definitions. */
export type Unresolved = 'missing' | 'external'

/**
 * Finds what a `$ref` means, the nearest first: a part of its own document, a schema of its `$id` anywhere in the
 * definitions, an exported schema of that name. Nothing is ever fetched.
 */
export function resolveReference(
  reference: string,
  place: Place,
  document: SchemaDocument,
  shared: SharedTargets,
): Target | Unresolved {
  const { resource } = place
  const [name = '', fragment] = splitFragment(reference)
  const base = name === '' ? undefined : named(name, resource, document, shared)
  if (name !== '' && base === undefined) return isOutside(name) ? 'external' : 'missing'
  if (fragment === undefined || fragment === '') return base ?? { node: resource }
  if (!fragment.startsWith('/')) return document.anchors.get(fragment) ?? 'missing'
  // Many writers mean the whole document, also below an `$id`; and what was made by itself and put in here means itself.
  const roots = base ? [base.node] : [resource, document.root, ...around(place)]
  for (const root of roots) {
    const target = followPointer(root, fragment)
    if (target) return target
  }
  return 'missing'
}

/** The schemas that a place stands in, the nearest first. */
function* around({ within }: Place): Iterable<JsonSchema> {
  for (let place = within; place; place = place.within) yield place.node
}

function splitFragment(reference: string): [string, string | undefined] {
  const at = reference.indexOf('#')
  return at === -1 ? [reference, undefined] : [reference.slice(0, at), reference.slice(at + 1)]
}

function named(
  name: string,
  resource: JsonSchema,
  document: SchemaDocument,
  shared: SharedTargets,
): Target | undefined {
  for (const id of new Set([name, absolute(name, resource.$id)])) {
    const target = document.ids.get(id) ?? document.defs.get(id) ?? shared.ids.get(id)
    if (target) return target
  }
  const exported = shared.exports.get(name)
  return exported && { node: exported }
}

/** Relative to an `$id` that is a URL, as JSON Schema says. */
function absolute(name: string, base: string | undefined): string {
  return base !== undefined && URL.canParse(name, base) ? new URL(name, base).href : name
}

function isOutside(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\.{0,2}\/|\.(json|ya?ml)$/i.test(name)
}
