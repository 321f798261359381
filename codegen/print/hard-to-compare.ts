import type { TypeNode } from './type-node.ts'

/**
 * Largest union of objects of which the compiler is asked whether it is narrower than the same union with References: it compares
 * each of its objects with all others, since a property that accepts a Reference tells none of them apart. 1,000 of them take
 * seconds, and at 2,000 it refuses (TS2859).
 */
const largestUnion = 100

/**
 * True for a type of which the compiler does not find, or finds too slowly, that it is narrower than the same with References: one
 * that contains an intersection or a large union of objects. `through` answers for a definition.
 */
export function isHardToCompare(node: TypeNode, through: (name: string) => boolean): boolean {
  const isHard = (part: TypeNode): boolean => isHardToCompare(part, through)
  switch (node.kind) {
    case 'intersection':
      return true
    case 'definition':
      return through(node.name)
    case 'array':
      return isHard(node.item)
    case 'tuple':
      return node.elements.some(isHard) || (node.rest !== undefined && isHard(node.rest))
    case 'object':
      return (
        node.members.some((member) => isHard(member.node)) || (node.index !== undefined && isHard(node.index))
      )
    case 'union':
      return node.nodes.filter(hasParts).length > largestUnion || node.nodes.some(isHard)
    default:
      return false
  }
}

function hasParts({ kind }: TypeNode): boolean {
  return kind === 'object' || kind === 'array' || kind === 'tuple' || kind === 'definition'
}
