import { type Node, parseTree } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'

/** The places of all values of a JSON text; undefined if it is nested too deeply for the recursive parser. */
export type JsonTree = Node | undefined

/**
 * Finds the offset of the value at a path in a JSON text; for a member of an object, the offset of its key.
 *
 * @param tree The tree of the text, from {@link jsonTree}.
 * @returns The offset of the deepest existing part of the path.
 */
export function jsonOffset(tree: JsonTree, path: readonly string[]): number {
  let node = tree
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

/**
 * Parses a text for {@link jsonOffset}. Takes time that grows with the text: look up all places of one text in one tree.
 *
 * @param text Valid JSON.
 */
export function jsonTree(text: string): JsonTree {
  try {
    return parseTree(withoutMark(text))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
