import type { Path } from './reference.ts'

/** Paths within data as a tree, so that the time to find those at a place does not grow with their number. */
export interface PathTree {
  /** True if everything here belongs to one of the paths. The tree then has no children. */
  isWhole: boolean
  readonly children: Map<string, PathTree>
}

/** Builds a tree of paths. */
export function pathTreeOf(paths: Iterable<Path['segments']>): PathTree {
  const tree: PathTree = { isWhole: false, children: new Map() }
  for (const path of paths) addPath(tree, path)
  return tree
}

function addPath(tree: PathTree, path: Path['segments']): void {
  let node = tree
  for (const segment of path) {
    if (node.isWhole) return
    const child = node.children.get(segment) ?? { isWhole: false, children: new Map() }
    node.children.set(segment, child)
    node = child
  }
  node.isWhole = true
  node.children.clear()
}

/** Returns the part of a tree at a place: that of the path which contains it, or of the paths within it, if there are any. */
export function partOfTree(tree: PathTree, place: Path['segments']): PathTree | undefined {
  let node: PathTree | undefined = tree
  for (const segment of place) {
    if (!node || node.isWhole) return node
    node = node.children.get(segment)
  }
  return node
}
