import type { JsonSchema, Schema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import type { Codec, UnionCodec } from './codec.ts'
import { areDisjoint } from './disjoint.ts'
import { jsonText } from './json-text.ts'
import { isAssertion } from './keywords.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { acceptsType, onlyUnion } from './nullable.ts'

/** Lowers `anyOf` and `oneOf`, with whatever stands beside them. */
export function lowerUnion(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const keyword = node.anyOf ? 'anyOf' : 'oneOf'
  const branches = located(node[keyword])
  const beside = Object.keys(node).filter((other) => other !== keyword && isAssertion(other))

  if (node.properties && branches.every((branch) => refines(branch, node))) {
    // The branches only choose among the properties that are there, which a model can be told; to repeat all of them in
    // every branch would cost more than it says, and strict providers refuse branches that begin alike.
    const described = applyKeywords(lowering.origins.derive({ [keyword]: node[keyword] }, node), [], {
      ...lowering,
      dialect: { ...lowering.dialect, keywords: { [keyword]: 'describe' } },
    })
    const description = [node.description, described.description]
      .filter((text) => text !== undefined)
      .join(' ')
    return lowering.node(
      lowering.origins.derive({ ...without(node, [keyword], lowering), description }, node),
      place,
    )
  }

  if (keyword === 'oneOf' && !areDisjoint(branches, lowering)) lowering.lose(node, 'oneOf', 'approximated')
  if (beside.length === 0) return unionOf(node, [keyword], branches, place, lowering)
  const assertions = lowering.origins.derive(
    Object.fromEntries(beside.map((other) => [other, node[other]])) as JsonSchema,
    node,
  )
  const annotations = without(node, [keyword, ...beside], lowering)
  return lowering.merging(
    node,
    () =>
      branches
        .map((branch) => lowering.intersect(assertions, branch))
        .filter((branch) => branch !== undefined),
    (merged) => unionOf(annotations, [], merged, place, lowering, node),
  )
}

/**
 * Lowers the branches of a union and puts them together, with the annotations of `node` around them.
 *
 * @param settled Keywords of `node` that the branches stand for.
 * @param declared The whole node, for where branches cannot be told apart after lowering: it goes as JSON text.
 */
export function unionOf(
  node: JsonSchema,
  settled: readonly string[],
  branches: readonly JsonSchema[],
  place: Place,
  lowering: Lowering,
  declared: JsonSchema = node,
): Lowered | undefined {
  const lowered = lowering.attempt(
    () => branches.flatMap((branch) => lowerBranch(branch, place, lowering)),
    (all) => !areConfusable(all, lowering),
  )
  if (areConfusable(lowered, lowering)) return jsonText(declared, lowering)
  if (lowered.length === 0) return undefined
  const outer = applyKeywords(node, settled, lowering)
  const flat = lowered.flatMap(flattened)
  const changes = flat.some(({ value }) => value !== undefined)
  const value: UnionCodec | undefined = changes ? { kind: 'union', branches: flat } : undefined
  const only = flat.length === 1 ? flat[0] : undefined
  // A composed schema keeps its list of branches, however short.
  const isComposed = branches.some((branch) => lowering.branchTool(branch) !== undefined)
  if (only && !isComposed && Object.keys(outer).length === 0) return only
  return { schema: { ...outer, anyOf: flat.map(({ schema }) => schema) }, value }
}

function lowerBranch(branch: JsonSchema, place: Place, lowering: Lowering): Lowered[] {
  const lowered = lowering.node(branch, place)
  if (lowered) return [lowered]
  const tool = lowering.branchTool(branch)
  if (tool === undefined) return []
  return [lowering.refuse(branch, 'a Tool that some Call can satisfy', `"${tool}", which none can`)]
}

/** The branches of a branch that is a union and nothing else: providers count unions. */
function flattened({ schema, value }: Lowered): Lowered[] {
  if (value?.kind === 'union' && onlyUnion(schema)) return [...value.branches]
  const inner = value === undefined ? onlyUnion(schema) : undefined
  return inner?.map((branch) => ({ schema: branch, value: undefined })) ?? [{ schema, value }]
}

/** True when a branch's stand-in looks like another branch's plain value, so that none can say which was meant. */
function areConfusable(lowered: readonly Lowered[], lowering: Lowering): boolean {
  return lowered.some(({ value }, index) => {
    const type = standInType(value, lowering)
    if (type === undefined) return false
    return lowered.some((other, at) => at !== index && acceptsType(other.schema, type, lowering))
  })
}

function standInType(value: Codec | undefined, lowering: Lowering): string | undefined {
  if (value?.kind === 'json') return 'string'
  if (value?.kind === 'entries') return 'array'
  return value?.kind === 'ref' ? standInType(lowering.lowered(value.name)?.value, lowering) : undefined
}

/** True for a branch that only narrows the object around it: it names no property and no type of its own. */
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

/** Located schemas hold no booleans in lists. */
function located(list: readonly Schema[] | undefined): JsonSchema[] {
  return (list ?? []).filter((schema) => typeof schema !== 'boolean')
}
