import type { Loss, StandIn } from '../../../../runtime/lower/losses.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

/**
 * The declared schema without exactly the keywords that the losses name, each at its very pointer. What a lifted value
 * may fail is thereby what the losses list, and nothing else.
 */
export function relax(
  declared: JsonSchema,
  losses: readonly Loss[],
  standIns: readonly StandIn[],
): JsonSchema {
  const relaxed = structuredClone(declared)
  // A boolean definition or property is not an object to take keywords from; no loss is about one.
  // Deepest first, since a renamed keyword cannot be walked through any more.
  const deepestFirst = [...losses].sort((left, right) => right.pointer.length - left.pointer.length)
  for (const { pointer, keyword } of deepestFirst) {
    const node = at(relaxed, pointer)
    if (node === undefined || !Object.hasOwn(node, keyword)) continue
    const isText = standIns.some((standIn) => standIn.pointer === pointer && standIn.kind === 'json')
    // `oneOf` that became `anyOf` still offers the same branches.
    if (keyword === 'oneOf' && !isText) node.anyOf = node.oneOf as JsonSchema[]
    // What is asked of texts never counted where no text was allowed, and the text of another value is none of them.
    if (keyword === 'type' && ![node.type].flat().includes('string'))
      for (const name of ofTexts) delete node[name]
    const looked = stillLooked(keyword, node[keyword])
    if (looked === undefined) delete node[keyword]
    else node[keyword] = looked
  }
  return relaxed
}

const ofTexts = ['pattern', 'format', 'minLength', 'maxLength']

/** What is left of a keyword that asks nothing any more, but has looked at properties: `unevaluatedProperties` goes by that. */
function stillLooked(keyword: string, value: unknown): unknown {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return true
  if (keyword === 'anyOf' || keyword === 'allOf') return (value as unknown[]).map(onlyLooking)
  if (keyword !== 'patternProperties' && keyword !== 'properties') return undefined
  return Object.fromEntries(Object.keys(value as object).map((name) => [name, true]))
}

/** A branch that every value fits, and that still looks at the properties that it names. */
function onlyLooking(branch: unknown): unknown {
  if (typeof branch !== 'object' || branch === null) return true
  const { oneOf, anyOf = oneOf, allOf, properties, patternProperties, ...others } = branch as JsonSchema
  const { additionalProperties, unevaluatedProperties } = others
  const looking = {
    ...{ anyOf, allOf, properties, patternProperties },
    ...(additionalProperties && { additionalProperties }),
    ...(unevaluatedProperties === true && { unevaluatedProperties }),
  }
  return Object.fromEntries(
    Object.entries(looking).flatMap(([keyword, value]) =>
      value === undefined ? [] : [[keyword, stillLooked(keyword, value)]],
    ),
  )
}

/**
 * As {@link relax}, for schemas of every keyword: of a union that is lost nothing stays, wherever in a JSON text it stands, and a
 * value may fit several branches once something in one of them is lost.
 */
export function relaxUnions(
  declared: JsonSchema,
  losses: readonly Loss[],
  standIns: readonly StandIn[],
): JsonSchema {
  const lost = losses.flatMap((loss) =>
    loss.keyword === 'oneOf' ? [loss, { ...loss, keyword: 'anyOf' }] : [loss],
  )
  return losses.length === 0 ? declared : withoutOneOf(relax(declared, lost, standIns))
}

function withoutOneOf<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(withoutOneOf) as Part
  const entries = Object.entries(part).map(([key, child]) => [key, withoutOneOf(child)] as const)
  const { oneOf, allOf = [], ...rest } = Object.fromEntries(entries) as Record<string, unknown>
  const isUnion = Array.isArray(oneOf) && Array.isArray(allOf)
  return (isUnion ? { ...rest, allOf: [...allOf, { anyOf: oneOf }] } : Object.fromEntries(entries)) as Part
}

/**
 * The declared schema without the keys that nothing in it names, where the losses say that a dialect closes such an
 * object: every value that is still valid must have a form under the lowered schema.
 */
export function tighten(declared: JsonSchema, losses: readonly Loss[]): JsonSchema {
  const tightened = structuredClone(declared)
  for (const { pointer, keyword, value } of losses) {
    if (keyword !== 'additionalProperties' || value !== undefined) continue
    const node = at(tightened, pointer)
    // Unlike `additionalProperties` it sees what `allOf` and `anyOf` beside it name.
    if (node && !Object.hasOwn(node, 'patternProperties')) node.unevaluatedProperties = false
  }
  return tightened
}

function at(schema: JsonSchema, pointer: string): Record<string, unknown> | undefined {
  let node: unknown = schema
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<string, unknown>)[key]
  }
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>) : undefined
}
