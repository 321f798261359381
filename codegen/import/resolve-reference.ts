import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { isSchema } from '../../runtime/schema/schema-children.ts'

/** Where a reference leads: the JSON pointer, as its segments, and the schema there; or why it leads nowhere. */
export type Resolved =
  | { readonly segments: readonly string[]; readonly target: Schema }
  | { readonly problem: string }

/** Follows a `$ref` within its own document. Nothing is ever read from elsewhere. */
export function resolveReference(document: JsonObject, reference: string): Resolved {
  const id = own(document, '$id')
  const local =
    typeof id === 'string' && id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference
  if (local !== '' && !local.startsWith('#')) return { problem: 'it leads out of the schema' }
  const pointer = decoded(local.slice(1))
  if (pointer === undefined) return { problem: 'it is not a valid URI fragment' }
  if (pointer !== '' && !pointer.startsWith('/'))
    return { problem: 'it names an anchor; only JSON pointers are read' }
  const segments = pointerNames(pointer)
  let target: unknown = document
  for (const segment of segments) {
    target = typeof target === 'object' && target !== null ? own(target, segment) : undefined
  }
  return isSchema(target) ? { segments, target } : { problem: 'there is no schema' }
}

/** True when references alone lead from a schema back to itself, so that it says nothing and no validator ends. */
export function isCircular(document: JsonObject, reference: string): boolean {
  const seen = new Set<string>()
  for (let next: unknown = reference; typeof next === 'string'; ) {
    if (seen.has(next)) return true
    seen.add(next)
    const resolved = resolveReference(document, next)
    next = 'target' in resolved && isJsonObject(resolved.target) ? own(resolved.target, '$ref') : undefined
  }
  return false
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // Malformed percent signs: the caller says so.
    return undefined
  }
}
