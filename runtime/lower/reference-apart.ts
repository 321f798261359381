import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { isAssertion } from '../keywords/keywords.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Lowering } from './lowering.ts'
import { described } from './words.ts'

/**
 * Splits a schema that admits References by its pattern (`{ type: ['number', 'string'], pattern: '^†' }`, or `'^†|…'`) into two
 * branches, value and Reference, for engines that match patterns against the whole text. Undefined for any other schema, and for
 * dialects that need no split.
 */
export function referenceApart(node: JsonSchema, lowering: Lowering): JsonSchema[] | undefined {
  const { pattern, type } = node
  if (lowering.dialect.referencePattern === undefined || typeof pattern !== 'string') return undefined
  const types = [type ?? []].flat()
  const isAlternative = pattern.startsWith(`${referencePattern}|`)
  if (!isAlternative && !(pattern === referencePattern && types.length > 1)) return undefined
  const others = types.filter((name) => name !== 'string')
  const value = Object.entries(node).filter(([keyword]) => isAssertion(keyword) && keyword !== 'pattern')
  const own: JsonSchema = isAlternative
    ? { ...Object.fromEntries(value), pattern: pattern.slice(referencePattern.length + 1) }
    : { ...Object.fromEntries(value), type: others.length === 1 ? (others[0] as string) : others }
  return [own, referenceBranch(lowering)].map((part) => lowering.origins.derive(part, node))
}

/** Returns the branch of a Reference: the shared definition, if there is one. */
function referenceBranch({ referenceDefinition: name }: Lowering): JsonSchema {
  return name === undefined ? { type: 'string', pattern: referencePattern } : { $ref: definitionRef(name) }
}

/** Returns the branch of a Reference if the dialect sends it as a string; see `Lowering.sendsReferencesAsText`. */
export function referenceAsText(node: JsonSchema, lowering: Lowering): JsonSchema | undefined {
  if (!lowering.sendsReferencesAsText) return undefined
  const name = definitionName(node.$ref)
  const said = name === undefined ? node : lowering.definition(name)
  if (said?.type !== 'string' || said.pattern !== referencePattern) return undefined
  lowering.lose(node, 'pattern', 'dropped', referencePattern)
  return { type: 'string' }
}

/** Drops the branch of a Reference if another branch accepts any string. */
export function withoutNeedlessReference<Branch extends { readonly schema: JsonSchema }>(
  branches: readonly Branch[],
  isDefinition: (schema: JsonSchema) => boolean,
): readonly Branch[] {
  const isReference = ({ schema }: Branch): boolean => isReferenceBranch(schema, isDefinition)
  const takesText = ({ schema }: Branch): boolean =>
    schema.type === 'string' &&
    Object.keys(schema).every((keyword) => keyword === 'type' || !isAssertion(keyword))
  return branches.some(takesText) ? branches.filter((branch) => !isReference(branch)) : branches
}

/**
 * Moves a value's description out to the union of value and Reference, if the union has a description already: two descriptions
 * cost more tokens than one.
 */
export function describedOutside<Branch extends { readonly schema: JsonSchema }>(
  outer: JsonSchema,
  branches: readonly Branch[],
  isDefinition: (schema: JsonSchema) => boolean,
): { readonly outer: JsonSchema; readonly branches: readonly Branch[] } {
  const values = branches.filter(({ schema }) => !isReferenceBranch(schema, isDefinition))
  const [only] = values
  const inner = only?.schema.description
  const isOneBesideReference = values.length === 1 && branches.length === 2
  if (!isOneBesideReference || typeof inner !== 'string' || outer.description === undefined) {
    return { outer, branches }
  }
  const { description, ...schema } = (only as Branch).schema
  return {
    outer: { ...outer, description: described(outer.description, [inner]) as string },
    branches: branches.map((branch) => (branch === only ? { ...branch, schema } : branch)),
  }
}

function isReferenceBranch(schema: JsonSchema, isDefinition: (schema: JsonSchema) => boolean): boolean {
  return schema.pattern === referencePattern || isDefinition(schema)
}
