import { type Node, parseTree } from 'jsonc-parser'
import type { Problem } from '../../../../runtime/errors.ts'
import { pointerNames } from '../../../../runtime/json/pointer-names.ts'
import type { Mark } from '../parts/json-editor.tsx'

/** Longer texts are not marked: what is wrong stands beside them anyway. */
const longest = 200_000

/** Where in the text of the parameters its problems are; one about what is missing has no place there. */
export function problemMarks(text: string, problems: readonly Problem[]): Mark[] {
  if (problems.length === 0 || text.length > longest) return []
  const root = parseTree(text)
  if (!root) return []
  return problems.flatMap(({ path, message }) => {
    const node = nodeAt(root, pointerNames(path))
    if (!node) return []
    // Of what holds others only the beginning is marked, so that its parts stay readable.
    const isCompound = node.type === 'object' || node.type === 'array'
    return [{ from: node.offset, to: node.offset + (isCompound ? 1 : node.length), message }]
  })
}

function nodeAt(root: Node, names: readonly string[]): Node | undefined {
  let node = root
  for (const name of names) {
    const next =
      node.type === 'array'
        ? node.children?.[Number(name)]
        : node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
    if (!next) return undefined
    node = next
  }
  return node
}
