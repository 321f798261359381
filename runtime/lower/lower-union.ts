import { definitionName } from '../json/definition-reference.ts'
import { isAssertion } from '../keywords/keywords.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import { areAmbiguous } from './codec/ambiguous.ts'
import type { UnionCodec } from './codec/codec.ts'
import { areExclusive } from './exclusive.ts'
import { jsonText } from './json-text.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { onlyUnion } from './nullable.ts'
import { describedOutside, withoutNeedlessReference } from './reference-apart.ts'
import { besideUnevaluated } from './unevaluated.ts'
import { described, words } from './words.ts'

/** Lowers `anyOf` and `oneOf`, with the keywords next to them. */
export function lowerUnion(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const keyword = node.anyOf ? 'anyOf' : 'oneOf'
  const branches = located(node[keyword])
  const beside = Object.keys(node).filter((other) => other !== keyword && isAssertion(other))

  if (node.properties && branches.every((branch) => refines(branch, node))) {
    // The branches only constrain which of the declared properties occur, so they are described in words: repeating all
    // properties in every branch costs too many tokens, and strict providers refuse branches that begin alike.
    lowering.lose(node, keyword, 'described')
    const description = described(node.description, [words(keyword, node[keyword])])
    return lowering.node(
      lowering.origins.derive(
        { ...without(node, [keyword], lowering), ...(description !== undefined && { description }) },
        node,
      ),
      place,
    )
  }

  if (keyword === 'oneOf' && !areExclusive(branches, (name) => lowering.definition(name)))
    lowering.lose(node, 'oneOf', 'approximated')
  if (beside.length === 0) return unionOf({ node, branches, settled: [keyword] }, place, lowering)
  const assertions = lowering.origins.derive(
    Object.fromEntries(beside.map((other) => [other, node[other]])) as JsonSchema,
    node,
  )
  const annotations = without(node, [keyword, ...beside], lowering)
  return lowering.merging(
    node,
    () =>
      branches
        .map((branch) =>
          besideUnevaluated(assertions, lowering.origins, (rest) => lowering.intersect(rest, branch)),
        )
        .filter((branch) => branch !== undefined),
    (merged) => unionOf({ node: annotations, branches: merged, declared: node }, place, lowering),
  )
}

/** A union to lower. */
export interface Union {
  /** The node whose keywords surround the branches. */
  readonly node: JsonSchema
  readonly branches: readonly JsonSchema[]
  /** Keywords of `node` that the branches replace. Default: none. */
  readonly settled?: readonly string[]
  /** The node to send as JSON text if the lowered branches cannot be distinguished. Default: `node`. */
  readonly declared?: JsonSchema
}

/** Lowers the branches of a union and combines them. */
export function unionOf(
  { node, branches, settled = [], declared = node }: Union,
  place: Place,
  lowering: Lowering,
): Lowered | undefined {
  const { lowered, isAmbiguous } = lowering.attempt(
    () => {
      const all = branches.flatMap((branch) => lowerBranch(branch, place, lowering))
      return { lowered: all, isAmbiguous: areAmbiguous(all, (name) => lowering.lowered(name)) }
    },
    (result) => !result.isAmbiguous,
  )
  if (isAmbiguous) return jsonText(declared, lowering)
  if (lowered.length === 0) return undefined
  const isDefinition = ({ $ref }: JsonSchema): boolean => {
    const name = definitionName($ref)
    return name !== undefined && lowering.definition(name)?.pattern === referencePattern
  }
  const { outer, branches: flat } = describedOutside(
    applyKeywords(node, settled, lowering),
    withoutNeedlessReference(lowered.flatMap(flattened), isDefinition),
    isDefinition,
  )
  const changes = flat.some(({ value }) => value !== undefined)
  const value: UnionCodec | undefined = changes ? { kind: 'union', branches: flat } : undefined
  const only = flat.length === 1 ? flat[0] : undefined
  // A composed schema keeps its list of branches, even with only one.
  const isComposed = branches.some((branch) => lowering.branchTool(branch) !== undefined)
  if (only && !isComposed) {
    const alone = besides(outer, only.schema)
    if (alone) return { schema: alone, value: only.value }
  }
  return { schema: { ...outer, anyOf: flat.map(({ schema }) => schema) }, value }
}

/** Merges the only branch with the keywords around the union; undefined if both have the same keyword. */
function besides(outer: JsonSchema, branch: JsonSchema): JsonSchema | undefined {
  const { description, ...others } = branch
  if (Object.keys(others).some((keyword) => Object.hasOwn(outer, keyword))) return undefined
  if (branch.$ref !== undefined && Object.keys(outer).length > 0) return undefined
  const said = described(outer.description, [typeof description === 'string' ? description : ''])
  return { ...outer, ...others, ...(said !== undefined && { description: said }) }
}

function lowerBranch(branch: JsonSchema, place: Place, lowering: Lowering): Lowered[] {
  const lowered = lowering.node(branch, place)
  if (lowered) return [lowered]
  const tool = lowering.branchTool(branch)
  if (tool === undefined) return []
  return [lowering.refuse(branch, 'a Tool that some Call can satisfy', `"${tool}", which none can`)]
}

/** Returns the branches of a branch that is only a union, to flatten it: providers limit the number of unions. */
function flattened({ schema, value }: Lowered): Lowered[] {
  if (value?.kind === 'union' && onlyUnion(schema)) return [...value.branches]
  const inner = value === undefined ? onlyUnion(schema) : undefined
  return inner?.map((branch) => ({ schema: branch, value: undefined })) ?? [{ schema, value }]
}

/** True for a branch that only narrows the surrounding object: it declares no property and no type. */
function refines(branch: JsonSchema, node: JsonSchema): boolean {
  const isObject = branch.type === undefined || branch.type === 'object'
  const saysMore = [...inPlace, 'const', 'enum', 'patternProperties'].some(
    (keyword) => branch[keyword] !== undefined,
  )
  const names = [...Object.keys(branch.properties ?? {}), ...(branch.required ?? [])]
  return isObject && !saysMore && names.every((name) => Object.hasOwn(node.properties ?? {}, name))
}

const inPlace = ['$ref', 'allOf', 'anyOf', 'oneOf']

function without(node: JsonSchema, keywords: readonly string[], lowering: Lowering): JsonSchema {
  const rest = Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.includes(keyword)))
  return lowering.origins.derive(rest as JsonSchema, node)
}

/** Located schemas contain no booleans in lists. */
function located(list: readonly Schema[] | undefined): JsonSchema[] {
  return (list ?? []).filter((schema) => typeof schema !== 'boolean')
}
