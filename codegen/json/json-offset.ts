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
  return jsonPlace(tree, path).offset
}

/** Finds the offset as {@link jsonOffset} does, and how many segments of the path exist. */
export function jsonPlace(
  tree: JsonTree,
  path: readonly string[],
): { readonly offset: number; readonly depth: number } {
  let node = tree
  let offset = node?.offset ?? 0
  for (const [depth, segment] of path.entries()) {
    const step = node && stepInto(node, segment)
    if (!step) return { offset, depth }
    offset = step.offset
    node = step.value
  }
  return { offset, depth: path.length }
}

/** A member of an object, or an item of a list. */
function stepInto(node: Node, segment: string): { offset: number; value: Node | undefined } | undefined {
  if (node.type === 'array') {
    const item = node.children?.[Number(segment)]
    return item && { offset: item.offset, value: item }
  }
  const property = membersOf(node).get(segment)
  return property && { offset: property.offset, value: property.children?.[1] }
}

/** The members of the objects that were looked into: an object of many would be searched for each of them. */
const members = new WeakMap<Node, ReadonlyMap<unknown, Node>>()

function membersOf(node: Node): ReadonlyMap<unknown, Node> {
  const known = members.get(node)
  if (known) return known
  // Of duplicate keys the last one stays, as `JSON.parse` has it.
  const found = new Map(
    (node.children ?? []).map((member) => [member.children?.[0]?.value as unknown, member]),
  )
  members.set(node, found)
  return found
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
