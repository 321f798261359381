import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { neverNode, type TypeNode } from './type-node.ts'

/**
 * Reads `items`, `prefixItems`, `minItems` and `maxItems` as a list or tuple. The length of a list is left to the validator:
 * `[T, ...T[]]` would refuse every `T[]` that a program computes. The bounds of a tuple decide which elements may be absent.
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
  // An impossible element ends the tuple, since no element can follow it.
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
