import type { TypeNode } from './type-node.ts'

/** True for a type that names a text, a number or a boolean. `through`: true for a definition that does. */
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
