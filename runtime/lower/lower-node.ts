import { isAssertion } from '../keywords/keywords.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import { concernsType, typeOfKeyword } from './concerned-types.ts'
import { isImpossible } from './impossible.ts'
import { jsonText } from './json-text.ts'
import { lowerArray } from './lower-array.ts'
import { lowerConstant } from './lower-constant.ts'
import { lowerObject } from './lower-object.ts'
import { lowerReference } from './lower-reference.ts'
import { lowerUnion, unionOf } from './lower-union.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { referenceApart, referenceAsText } from './reference-apart.ts'
import { withoutUnevaluated } from './unevaluated.ts'

/** Lowers any node. The order of the cases is the precedence of the keywords. */
export function lowerNode(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  if (isImpossible(node)) return undefined
  const text = referenceAsText(node, lowering)
  if (text) return { schema: text, value: undefined }
  if (node.$ref !== undefined) return lowerReference(node, place, lowering)
  if (node.allOf) {
    return lowering.merging(
      node,
      () => lowering.mergeAllOf(node),
      (merged) => lowering.node(merged, place),
    )
  }
  if (node.anyOf || node.oneOf) return lowerUnion(node, place, lowering)
  if (node.const !== undefined || node.enum) return lowerConstant(node, lowering)
  const apart = referenceApart(node, lowering)
  if (apart)
    return unionOf({ node: annotationsOf(node, lowering), branches: apart, declared: node }, place, lowering)
  return lowerTyped(withoutUnevaluated(node, lowering.origins) ?? node, place, lowering)
}

function lowerTyped(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const types = typesOf(node, lowering)
  if (types.length === 0) {
    if (lowering.dialect.untyped === 'json') return jsonText(node, lowering)
    return { schema: applyKeywords(node, [], lowering), value: undefined }
  }
  const [type = ''] = types
  if (types.length === 1) {
    if (type === 'object') return lowerObject(node, place, lowering)
    if (type === 'array') return lowerArray(node, place, lowering)
    return { schema: { type, ...applyKeywords(node, ['type'], lowering) }, value: undefined }
  }
  const isScalar = !types.includes('object') && !types.includes('array')
  const isNullable = types.length === 2 && types.includes('null')
  if (isScalar && (lowering.dialect.typeLists === 'any' || isNullable)) {
    return { schema: { type: types, ...applyKeywords(node, ['type'], lowering) }, value: undefined }
  }
  return lowerTypeList(node, types, place, lowering)
}

/** Returns the types that a node allows: declared, or implied by keywords of one type. */
function typesOf(node: JsonSchema, lowering: Lowering): string[] {
  if (Array.isArray(node.type))
    return node.type.filter((type) => type !== 'integer' || !node.type?.includes('number'))
  if (node.type !== undefined) return [node.type]
  const about = new Set(Object.keys(node).filter(isAssertion).map(typeOfKeyword))
  const implied = node.properties
    ? 'object'
    : (node.items ?? node.prefixItems) !== undefined
      ? 'array'
      : undefined
  if (implied === undefined || about.size !== 1 || !about.has(implied)) return []
  lowering.lose(node, 'type', 'approximated')
  return [implied]
}

/** Lowers several types, with objects or arrays among them, to a branch for each, with the keywords that apply to it. */
function lowerTypeList(
  node: JsonSchema,
  types: readonly string[],
  place: Place,
  lowering: Lowering,
): Lowered | undefined {
  const branches = types.map((type) => {
    const about = Object.entries(node).filter(
      ([keyword]) => keyword !== 'type' && isAssertion(keyword) && concernsType(keyword, type),
    )
    return lowering.origins.derive({ type, ...Object.fromEntries(about) } as JsonSchema, node)
  })
  return unionOf({ node: annotationsOf(node, lowering), branches, declared: node }, place, lowering)
}

function annotationsOf(node: JsonSchema, lowering: Lowering): JsonSchema {
  const annotations = Object.entries(node).filter(([keyword]) => !isAssertion(keyword))
  return lowering.origins.derive(Object.fromEntries(annotations) as JsonSchema, node)
}
