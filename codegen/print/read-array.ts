import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { neverNode, type TypeNode } from './type-node.ts'

/**
 * The list or tuple that `items`, `prefixItems`, `minItems` and `maxItems` describe. A list's length bounds stay with
 * the validator: `[T, ...T[]]` would refuse every `T[]` that a program computes. A tuple's decide which elements may
 * be absent.
 */
export function readArray(schema: JsonSchema, read: (schema: Schema) => TypeNode): TypeNode {
  const { prefixItems = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema as TupleKeywords
  const items = read(
    typeof schema.items === 'object' && Array.isArray(schema.items) ? true : (schema.items ?? true),
  )
  if (minItems > maxItems) return neverNode
  if (prefixItems.length === 0) {
    if (items.kind !== 'never' && maxItems > 0) return { kind: 'array', item: items }
    return minItems > 0 ? neverNode : { kind: 'tuple', elements: [], required: 0 }
  }
  const elements = prefixItems.slice(0, maxItems).map(read)
  // An element that cannot be ends the tuple: what follows it cannot be either.
  const impossible = elements.findIndex((element) => element.kind === 'never')
  const possible = impossible < 0 ? elements : elements.slice(0, impossible)
  const closed = items.kind === 'never' || impossible >= 0 || maxItems <= possible.length
  if (closed && minItems > possible.length) return neverNode
  const required = Math.min(minItems, possible.length)
  return { kind: 'tuple', elements: possible, required, ...(!closed && { rest: items }) }
}

interface TupleKeywords {
  readonly prefixItems?: readonly Schema[]
  readonly minItems?: number
  readonly maxItems?: number
}
