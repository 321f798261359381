import type { TypeNode } from './type-node.ts'

/** True for a type that contains an intersection. `through` answers for a definition. */
export function holdsIntersection(node: TypeNode, through: (name: string) => boolean): boolean {
  const holds = (part: TypeNode): boolean => holdsIntersection(part, through)
  switch (node.kind) {
    case 'intersection':
      return true
    case 'definition':
      return through(node.name)
    case 'array':
      return holds(node.item)
    case 'tuple':
      return node.elements.some(holds) || (node.rest !== undefined && holds(node.rest))
    case 'object':
      return (
        node.members.some((member) => holds(member.node)) || (node.index !== undefined && holds(node.index))
      )
    case 'union':
      return node.nodes.some(holds)
    default:
      return false
  }
}
