import type { TypeNode } from './type-node.ts'

/** A type without the doc comments of its members, for one that stands beside the type that has them. */
export function withoutComments(node: TypeNode): TypeNode {
  switch (node.kind) {
    case 'array':
      return { ...node, item: withoutComments(node.item) }
    case 'tuple': {
      const { rest, ...tuple } = node
      const elements = node.elements.map(withoutComments)
      return { ...tuple, elements, ...(rest && { rest: withoutComments(rest) }) }
    }
    case 'object': {
      const { index, ...object } = node
      const members = node.members.map(({ documents, ...member }) => ({
        ...member,
        node: withoutComments(member.node),
      }))
      return { ...object, members, ...(index && { index: withoutComments(index) }) }
    }
    case 'union':
    case 'intersection':
      return { ...node, nodes: node.nodes.map(withoutComments) }
    default:
      return node
  }
}
