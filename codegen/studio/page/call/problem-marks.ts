import { type Node, parseTree } from 'jsonc-parser'
import type { Problem } from '../../../../runtime/errors.ts'
import { pointerNames } from '../../../../runtime/json/pointer-names.ts'
import type { Mark } from '../parts/json-editor.tsx'

/** The longest text that is marked; the problems of longer ones are listed only. */
const longest = 200_000

/** Returns the positions of problems in the parameters' text. Problems about missing values have none. */
export function problemMarks(text: string, problems: readonly Problem[]): Mark[] {
  if (problems.length === 0 || text.length > longest) return []
  const root = parseTree(text)
  if (!root) return []
  return problems.flatMap(({ path, message }) => {
    const node = nodeAt(root, pointerNames(path))
    if (!node) return []
    // Only the start of an object or array is marked, so that its content stays readable.
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
