import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject, own } from '../json/json.ts'
import { unescapeSegment } from '../json/pointer-names.ts'
import type { JsonSchema } from './schema.ts'
import { childPointer, forEachChildSchema, schemaPlace } from './schema-children.ts'

/** The target of a reference, with a possible name for it. */
export interface Target {
  readonly node: JsonSchema
  /** Its key in `$defs`, otherwise the last segment of the pointer. */
  readonly key?: string
}

/** The schema of one Tool, or a shared schema, with its parts and the targets that references can name in it. */
export interface SchemaDocument {
  readonly root: JsonSchema
  /** Every schema in the document, outer ones first. An object that several parts with `$defs` or `$id` contain is listed for each. */
  readonly places: readonly Place[]
  readonly ids: ReadonlyMap<string, Target>
  /** Each `$id` that several different schemas have. */
  readonly ambiguous: ReadonlySet<string>
  /** The schema of each anchor, by the resource that it stands in; `ambiguous` if several different ones there have it. */
  readonly anchors: ReadonlyMap<string, ReadonlyMap<JsonSchema, Target | 'ambiguous'>>
  /** Members of every `$defs` in the document, by key. The outermost wins. */
  readonly defs: ReadonlyMap<string, Target>
}

/** A schema at its position in a document. */
export interface Place {
  readonly node: JsonSchema
  /** The place around it; absent for the root. */
  readonly within?: Place
  /** The keyword that contains it, and the key below that keyword. */
  readonly keyword: string
  readonly key: string | undefined
  /** The nearest schema around it that has `$id` or `$schema`, else the root. */
  readonly resource: JsonSchema
}

/** Returns the JSON pointer to a place. Computed on demand, since few places are ever reported. */
export function pointerTo({ within, keyword, key }: Place): string {
  return within ? pointerTo(within) + childPointer(keyword, key) : ''
}

/**
 * Lists the parts of a schema, and what references can name among them.
 *
 * @param beginsDocument Returns true for a part that is a document of its own, in which its references begin.
 */
export function readDocument(
  root: JsonSchema,
  beginsDocument: (node: JsonSchema) => boolean,
): SchemaDocument {
  const places = placesIn(root, beginsDocument)
  const ids = new Map<string, Target>()
  const ambiguous = new Set<string>()
  const anchors = new Map<string, Map<JsonSchema, Target | 'ambiguous'>>()
  const defs = new Map<string, Target>()
  for (const { node, keyword, key, resource } of places) {
    const target: Target = keyword === '$defs' && key !== undefined ? { node, key } : { node }
    if (node.$id !== undefined) {
      const first = ids.get(node.$id)
      if (!first) ids.set(node.$id, target)
      else if (canonicalJson(first.node) !== canonicalJson(node)) ambiguous.add(node.$id)
    }
    if (typeof node.$anchor === 'string') {
      const targets = anchors.get(node.$anchor) ?? new Map<JsonSchema, Target | 'ambiguous'>()
      const first = targets.get(resource)
      const isOther = first && (first === 'ambiguous' || canonicalJson(first.node) !== canonicalJson(node))
      targets.set(resource, isOther ? 'ambiguous' : { ...target, key: node.$anchor })
      anchors.set(node.$anchor, targets)
    }
    if (target.key !== undefined && !defs.has(target.key)) defs.set(target.key, target)
  }
  return { root, places, ids, ambiguous, anchors, defs }
}

function placesIn(root: JsonSchema, beginsDocument: (node: JsonSchema) => boolean): Place[] {
  const places: Place[] = [{ node: root, keyword: '', key: undefined, resource: root }]
  /** By place, the schemas seen below the same names: what a reference means depends on the `$defs` and `$id`s around it. */
  const seen = places.map(() => new Set([root]))
  // The list grows during the loop: each place adds its direct children.
  for (const [index, within] of places.entries()) {
    const here = seen[index] as Set<JsonSchema> // safe cast: each place has its set
    forEachChildSchema(within.node, (node, keyword, key) => {
      if (!isJsonObject(node) || here.has(node)) return
      here.add(node)
      const begins = node.$id !== undefined || beginsDocument(node)
      places.push({ node, within, keyword, key, resource: begins ? node : within.resource })
      seen.push(begins || node.$defs ? new Set() : here)
    })
  }
  return places
}

/** Object forms of `true` and `false`, for references to them: only objects can be named and shared. */
const anything: JsonSchema = {}
const nothing: JsonSchema = { not: {} }

/**
 * Follows a JSON pointer (without the `#`) through the keywords that hold schemas, and through the names of draft-07 for some
 * of them. Data and the values of unknown keywords are not read as schemas.
 */
export function followPointer(from: JsonSchema, pointer: string): Target | undefined {
  const steps = pointer.split('/').slice(1).map(decodeStep)
  let at: unknown = from
  for (let index = 0; index < steps.length && isJsonObject(at); index++) {
    const keyword = keywordIn(at, steps[index] ?? '')
    const value = own(at, keyword)
    const place = schemaPlace(keyword, value)
    if (place === undefined) return undefined
    at = place === 'single' ? value : member(value, steps[++index])
  }
  const key = steps.at(-1)
  const node = at === true ? anything : at === false ? nothing : at
  return isJsonObject(node) ? { node, ...(key !== undefined && { key }) } : undefined
}

function keywordIn(schema: JsonSchema, step: string): string {
  if (step === 'definitions' && !Object.hasOwn(schema, step)) return '$defs'
  const isTuple = step === 'items' && Array.isArray(own(schema, 'prefixItems'))
  return isTuple && !isJsonObject(own(schema, 'items')) ? 'prefixItems' : step
}

function member(holder: unknown, step: string | undefined): unknown {
  if (step === undefined) return undefined
  if (Array.isArray(holder)) return /^\d+$/.test(step) ? holder[Number(step)] : undefined
  return isJsonObject(holder) ? own(holder, step) : undefined
}

function decodeStep(step: string): string {
  try {
    return unescapeSegment(decodeURIComponent(step))
  } catch (error) {
    // A bare `%` is invalid in a URI, but can be the name of a property.
    if (error instanceof URIError) return unescapeSegment(step)
    throw error
  }
}
