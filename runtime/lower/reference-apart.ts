import { isAssertion } from '../keywords/keywords.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Lowering } from './lowering.ts'

/**
 * Splits a schema that admits References by its pattern (`{ type: ['number', 'string'], pattern: '^†' }`, or `'^†|…'`) into
 * the value and the Reference, for engines that hold the whole text to a pattern. Undefined for any other schema, and for
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
  const reference: JsonSchema = { type: 'string', pattern: referencePattern }
  return [own, reference].map((part) => lowering.origins.derive(part, node))
}

/** Leaves the Reference out where another branch takes any text: what a provider cannot constrain says nothing twice. */
export function withoutNeedlessReference<Branch extends { readonly schema: JsonSchema }>(
  branches: readonly Branch[],
  resolve: (schema: JsonSchema) => JsonSchema,
): readonly Branch[] {
  const isReference = ({ schema }: Branch): boolean => resolve(schema).pattern === referencePattern
  const takesText = ({ schema }: Branch): boolean =>
    schema.type === 'string' &&
    Object.keys(schema).every((keyword) => keyword === 'type' || !isAssertion(keyword))
  return branches.some(takesText) ? branches.filter((branch) => !isReference(branch)) : branches
}
