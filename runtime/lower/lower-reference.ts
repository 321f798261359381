import { definitionName } from '../json/definition-reference.ts'
import { isAssertion } from '../keywords/keywords.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import { jsonText } from './json-text.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { besideUnevaluated } from './unevaluated.ts'

/** Lowers a reference: kept, with the keywords next to it moved to where the dialect reads them. */
export function lowerReference(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const name = definitionName(node.$ref)
  const target = name === undefined ? undefined : lowering.definition(name)
  if (name === undefined || !target) return lowering.refuseReference(node)
  if (Object.keys(node).some((keyword) => keyword !== '$ref' && isAssertion(keyword))) {
    const { $ref, ...beside } = node
    const here = lowering.origins.derive(beside as JsonSchema, node)
    return lowering.merging(
      node,
      () =>
        besideUnevaluated(here, lowering.origins, (rest) =>
          lowering.intersect({ $ref: node.$ref as string }, rest),
        ),
      (both) => lowering.node(both, place),
    )
  }
  const { dialect } = lowering
  if (lowering.isRecursive(place.definition, name)) {
    if (dialect.recursion === 'json' || (dialect.recursion === 'optional' && !place.optional)) {
      return jsonText(node, lowering)
    }
  }
  if (!lowering.define(name)) return undefined
  const value = changesValues(name, lowering) ? ({ kind: 'ref', name } as const) : undefined
  return { schema: annotatedReference(node, lowering), value }
}

/** True if a definition's codec changes values, or might: that is unknown while the definition is being lowered. */
function changesValues(name: string, lowering: Lowering): boolean {
  const lowered = lowering.lowered(name)
  return lowered === undefined || lowered.value !== undefined
}

function annotatedReference(node: JsonSchema, lowering: Lowering): JsonSchema {
  const reference: JsonSchema = { $ref: node.$ref as string }
  if (Object.keys(node).length === 1) return reference
  if (lowering.dialect.besideRef === 'drop') {
    for (const keyword of Object.keys(node)) if (keyword !== '$ref') lowering.lose(node, keyword, 'dropped')
    return reference
  }
  const beside = applyKeywords(node, ['$ref'], lowering)
  if (Object.keys(beside).length === 0) return reference
  return lowering.dialect.besideRef === 'keep'
    ? { ...beside, ...reference }
    : { ...beside, anyOf: [reference] }
}
