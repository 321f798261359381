import type { Member, TypeNode } from './type-node.ts'
import { referenceNode } from './type-node.ts'

/** What the written form of a type needs to know of the shared definitions. */
export interface DefinitionFacts {
  /** True when the definition's values include every string, so that a Reference needs no mention. */
  acceptsEveryString(name: string): boolean
  /** True when the definition holds a place where a Reference may stand. */
  differs(name: string): boolean
}

/**
 * The written form of a type (REF-1): wherever it holds a value that not every string is, at any depth, a Reference may
 * stand as well. The type as a whole is not such a place; the type that holds it decides. Lists are readonly, since Calls are
 * copied before use: constants fit too. A type without References and lists comes back as the same object.
 */
export function withReferences(node: TypeNode, facts: DefinitionFacts): TypeNode {
  const inner = (part: TypeNode): TypeNode => withReferences(part, facts)
  const place = (part: TypeNode): TypeNode => orReference(part, facts)
  switch (node.kind) {
    case 'array':
      return { ...node, item: place(node.item), readonly: true }
    case 'tuple': {
      const rest = node.rest && place(node.rest)
      return { ...node, elements: node.elements.map(place), ...(rest && { rest }), readonly: true }
    }
    case 'object': {
      const members = mapped(node.members, (member) => writtenMember(member, place))
      const index = node.index && place(node.index)
      return members === node.members && index === node.index
        ? node
        : { ...node, members, ...(index && { index }) }
    }
    case 'definition':
      return facts.differs(node.name) ? { ...node, written: true } : node
    case 'union':
    case 'intersection': {
      const nodes = mapped(node.nodes, inner)
      return nodes === node.nodes ? node : { ...node, nodes }
    }
    default:
      return node
  }
}

/** True when every string is a value of the type. */
export function acceptsEveryString(node: TypeNode, ofDefinition: (name: string) => boolean): boolean {
  switch (node.kind) {
    case 'unknown':
      return true
    case 'primitive':
      return node.name === 'string'
    case 'definition':
      return ofDefinition(node.name)
    case 'union':
      return node.nodes.some((part) => acceptsEveryString(part, ofDefinition))
    case 'intersection':
      return node.nodes.every((part) => acceptsEveryString(part, ofDefinition))
    default:
      return false
  }
}

function orReference(node: TypeNode, facts: DefinitionFacts): TypeNode {
  const written = withReferences(node, facts)
  // Nothing may stand where no value is valid: what a Reference gives is validated too.
  if (node.kind === 'never' || acceptsEveryString(node, facts.acceptsEveryString)) return written
  return { kind: 'union', nodes: [...(written.kind === 'union' ? written.nodes : [written]), referenceNode] }
}

function writtenMember(member: Member, place: (node: TypeNode) => TypeNode): Member {
  const node = place(member.node)
  return node === member.node ? member : { ...member, node }
}

/** As `map`, giving back the same list when no item changed. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}
