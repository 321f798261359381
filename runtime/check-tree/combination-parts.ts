import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Builder } from './builder.ts'
import { tagOfAlternatives } from './tag.ts'
import { type CheckTree, call, isValid, literal, steps, valid } from './tree.ts'

/** Builds the checks of `$ref`, `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function combinationParts(schema: JsonSchema, builder: Builder): CheckTree[] {
  const { tree, references } = builder
  const { $ref, allOf = [], anyOf, oneOf, not } = schema
  const parts: CheckTree[] = []
  if ($ref !== undefined) parts.push({ op: 'definition', name: references.nameOf($ref) })
  for (const each of allOf) parts.push(tree(each))
  if (anyOf) parts.push(alternatives('anyOf', anyOf, schema, builder))
  if (oneOf) parts.push(alternatives('oneOf', oneOf, schema, builder))
  if (not !== undefined) parts.push(call('not', { step: tree(not) }))
  parts.push(...conditional(schema, builder))
  return parts
}

function alternatives(
  helper: 'anyOf' | 'oneOf',
  schemas: readonly Schema[],
  around: JsonSchema,
  { tree, references }: Builder,
): CheckTree {
  const possible = schemas
    .map((schema) => ({ schema, part: tree(schema) }))
    .filter(({ part }) => part.op !== 'call' || part.helper !== 'never')
  const [only] = possible
  if (!only) return call('never')
  if (possible.length === 1) return only.part
  const parts = possible.map(({ part }) => part)
  if (helper === 'anyOf' && parts.some(isValid)) return valid
  const tag = tagOfAlternatives(
    possible.map(({ schema }) => schema),
    around,
    references,
  )
  return call(helper, steps(parts), literal(tag))
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
