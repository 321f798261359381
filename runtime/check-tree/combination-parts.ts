import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Builder } from './builder.ts'
import { anyOfTag } from './tag.ts'
import { type CheckTree, call, isValid, literal, steps } from './tree.ts'

/** What `$ref`, `allOf`, `anyOf`, `oneOf`, `not` and `if` say about values of any type. */
export function combinationParts(schema: JsonSchema, builder: Builder): CheckTree[] {
  const { tree, references } = builder
  const { $ref, allOf = [], anyOf, oneOf, not } = schema
  const any = anyOf?.map(tree)
  const one = oneOf?.map(tree)
  return [
    ...($ref === undefined ? [] : [{ op: 'definition', name: references.nameOf($ref) } as const]),
    ...allOf.map(tree),
    ...(any && !any.some(isValid) ? [alternatives('anyOf', any, anyOfTag(anyOf ?? [], references))] : []),
    ...(one ? [alternatives('oneOf', one, anyOfTag(oneOf ?? [], references))] : []),
    ...(not === undefined ? [] : [call('not', { step: tree(not) })]),
    ...conditional(schema, builder),
  ]
}

function alternatives(
  helper: 'anyOf' | 'oneOf',
  trees: readonly CheckTree[],
  tag: string | undefined,
): CheckTree {
  const possible = trees.filter((tree) => tree.op !== 'call' || tree.helper !== 'never')
  const [only] = possible
  if (!only) return call('never')
  return possible.length === 1 ? only : call(helper, steps(possible), literal(tag))
}

function conditional(schema: JsonSchema, { tree }: Builder): CheckTree[] {
  const {
    if: condition,
    then: positive = true,
    else: negative = true,
  } = schema as Record<string, Schema | undefined>
  if (condition === undefined) return []
  const [then, otherwise] = [tree(positive), tree(negative)]
  if (isValid(then) && isValid(otherwise)) return []
  return [call('choose', { step: tree(condition) }, { step: then }, { step: otherwise })]
}
