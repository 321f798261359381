import { type Node, parseTree } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'

/**
 * Where in a JSON text the value at a path begins; for a member of an object, where its key begins.
 *
 * @param text JSON that parses.
 * @returns The offset of the deepest part of the path that is there.
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
  // Of a key that stands twice, `JSON.parse` keeps the last.
  const property = node.children?.findLast(({ children }) => children?.[0]?.value === segment)
  return property && { offset: property.offset, value: property.children?.[1] }
}

/** Undefined for a text that is nested too deeply for the parser, which calls itself at each level. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(withoutMark(text))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
