import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Builder } from './builder.ts'
import { evaluatedItems } from './evaluated.ts'
import { boundOf, tupleOf } from './spellings.ts'
import { type CheckTree, call, isValid, literal, steps, valid } from './tree.ts'

/** Builds the checks of a schema's array keywords. */
export function arrayParts(schema: JsonSchema, { tree, references }: Builder): CheckTree[] {
  const { maxItems, uniqueItems, contains, minContains = 1, maxContains, unevaluatedItems } = schema
  const minItems = boundOf(schema.minItems)
  const { prefix, rest } = tupleOf(schema)
  const unseen = unevaluatedItems === undefined ? undefined : evaluatedItems(schema, references)
  const most = leastOf(
    maxItems,
    rest === false ? prefix.length : undefined,
    unevaluatedItems === false ? unseen : undefined,
  )
  const following = rest === undefined || rest === false ? valid : tree(rest)
  const isAllSeen = unseen === undefined || unseen === Number.POSITIVE_INFINITY
  const others = isAllSeen || unevaluatedItems === false ? valid : tree(unevaluatedItems as Schema)
  const tuple = prefix.map(tree)
  const parts: CheckTree[] = []
  if (!tuple.every(isValid)) parts.push(call('tuple', steps(tuple)))
  if (prefix.length > 0 && !isValid(following)) {
    parts.push(call('items', { step: following }, literal(prefix.length)))
  }
  if (contains !== undefined && (minContains !== 0 || maxContains !== undefined)) {
    parts.push(call('contains', { step: tree(contains) }, literal(minContains), literal(maxContains)))
  }
  if (uniqueItems === true) parts.push(call('unique'))
  if (!isValid(others)) parts.push(call('items', { step: others }, literal(unseen)))
  const every = prefix.length === 0 ? following : valid
  const isBounded = minItems !== undefined || most !== undefined
  if (isValid(every) && !isBounded && parts.length === 0) return []
  const step = isValid(every) ? literal(undefined) : { step: every }
  return [call('array', step, literal(minItems), literal(most)), ...parts]
}

function leastOf(...limits: readonly unknown[]): number | undefined {
  const given = limits.filter(
    (limit) => typeof limit === 'number' && limit !== Number.POSITIVE_INFINITY,
  ) as number[]
  return given.length > 0 ? Math.min(...given) : undefined
}
