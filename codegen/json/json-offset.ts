import { type Node, parseTree } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'

/**
 * Finds the offset of the value at a path in a JSON text; for a member of an object, the offset of its key.
 *
 * @param text Valid JSON.
 * @returns The offset of the deepest existing part of the path.
 */
export function jsonOffset(text: string, path: readonly string[]): number {
  let node = treeOf(text)
  let offset = node?.offset ?? 0
  for (const segment of path) {
    const step = node && stepInto(node, segment)
    if (!step) return offset
    offset = step.offset
    node = step.value
  }
  return offset
}

/** A member of an object, or an item of a list. */
function stepInto(node: Node, segment: string): { offset: number; value: Node | undefined } | undefined {
  if (node.type === 'array') {
    const item = node.children?.[Number(segment)]
    return item && { offset: item.offset, value: item }
  }
  // `JSON.parse` keeps the last of duplicate keys.
  const property = node.children?.findLast(({ children }) => children?.[0]?.value === segment)
  return property && { offset: property.offset, value: property.children?.[1] }
}

/** Parses a text; undefined if it is nested too deeply for the recursive parser. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(withoutMark(text))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
