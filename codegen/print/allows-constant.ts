import type { TypeNode } from './type-node.ts'

/** True for a type with a literal string, number or boolean among its values. `through` answers for a definition. */
export function allowsConstant(node: TypeNode, through: (name: string) => boolean): boolean {
  switch (node.kind) {
    case 'literal':
      return node.value !== null
    case 'definition':
      return through(node.name)
    case 'union':
    case 'intersection':
      return node.nodes.some((part) => allowsConstant(part, through))
    default:
      return false
  }
}
