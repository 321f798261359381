import { JsonType } from './json-types.ts'
import {
  booleanNode,
  type Member,
  neverNode,
  nodeTypes,
  type ObjectNode,
  type TypeNode,
  unknownNode,
} from './type-node.ts'

/** Returns the union of types, without repetitions and without types that a wider one contains. */
export function union(parts: readonly TypeNode[]): TypeNode {
  if (parts.length === 1 && parts[0]) return parts[0]
  const flat = parts.flatMap((part) => (part.kind === 'union' ? part.nodes : [part]))
  if (flat.some((part) => part.kind === 'unknown')) return unknownNode
  const wide = new Set(flat.flatMap((part) => (part.kind === 'primitive' ? [part.name as string] : [])))
  const kept = new Map<string, TypeNode>()
  for (const part of flat) {
    if (part.kind === 'never') continue
    if (part.kind === 'literal' && wide.has(typeof part.value)) continue
    if (part.kind === 'reference' && wide.has('string')) continue
    const key = keyOf(part)
    if (!kept.has(key)) kept.set(key, part)
  }
  mergeBooleans(kept)
  const nodes = [...kept.values()]
  return nodes.length === 1 && nodes[0] ? nodes[0] : nodes.length === 0 ? neverNode : { kind: 'union', nodes }
}

/** Replaces `true | false` by `boolean`, at the position of the first. */
function mergeBooleans(kept: Map<string, TypeNode>): void {
  const [yes, no] = [true, false].map((value) => keyOf({ kind: 'literal', value })) as [string, string]
  if (!kept.has(yes) || !kept.has(no)) return
  const entries = [...kept].filter(([key]) => key !== no)
  kept.clear()
  for (const [key, node] of entries) kept.set(key, key === yes ? booleanNode : node)
}

/**
 * Returns the intersection of types, computed if the result reads better than `A & B`: scalars, and objects without an index
 * signature, which become one object.
 */
export function intersection(parts: readonly TypeNode[]): TypeNode {
  if (parts.length === 1 && parts[0]) return parts[0]
  const flat = parts
    .flatMap((part) => (part.kind === 'intersection' ? part.nodes : [part]))
    .filter((part) => part.kind !== 'unknown')
  const kept: TypeNode[] = []
  for (const part of flat) {
    let merged: TypeNode | undefined
    const at = kept.findIndex((other) => {
      merged = intersectTwo(other, part)
      return merged !== undefined
    })
    if (merged === undefined) kept.push(part)
    else kept[at] = merged
  }
  if (kept.some((part) => part.kind === 'never')) return neverNode
  const [only] = kept
  if (only === undefined) return unknownNode
  return kept.length === 1 ? only : { kind: 'intersection', nodes: kept }
}

function intersectTwo(left: TypeNode, right: TypeNode): TypeNode | undefined {
  if (left.kind === 'never' || right.kind === 'never') return neverNode
  if (left.kind === 'object' && right.kind === 'object') {
    return left.index || right.index ? undefined : mergeObjects(left, right)
  }
  if (isScalar(left) && isScalar(right)) {
    return union(
      alternatives(left).flatMap((one) => alternatives(right).map((other) => commonScalar(one, other))),
    )
  }
  if (keyOf(left) === keyOf(right)) return left
  if ((nodeTypes(left) & nodeTypes(right)) === 0) return neverNode
  return undefined
}

function mergeObjects(left: ObjectNode, right: ObjectNode): TypeNode {
  const members = new Map<string, Member>(left.members.map((member) => [member.name, member]))
  for (const member of right.members) {
    const other = members.get(member.name)
    const merged = other ? mergeMembers(other, member) : member
    if (!merged.optional && merged.node.kind === 'never') return neverNode
    members.set(member.name, merged)
  }
  return { kind: 'object', members: [...members.values()] }
}

function mergeMembers(left: Member, right: Member): Member {
  return {
    name: left.name,
    node: intersection([left.node, right.node]),
    optional: left.optional && right.optional,
    documents: left.documents ?? right.documents,
  }
}

const scalarTypes = JsonType.string | JsonType.number | JsonType.boolean | JsonType.null

/** True for primitives, literals and unions of them, which can be intersected without `&`. */
function isScalar(node: TypeNode): boolean {
  if (node.kind === 'union') return node.nodes.every(isScalar)
  return (node.kind === 'primitive' || node.kind === 'literal') && (nodeTypes(node) & scalarTypes) !== 0
}

function alternatives(node: TypeNode): readonly TypeNode[] {
  return node.kind === 'union' ? node.nodes : [node]
}

function commonScalar(left: TypeNode, right: TypeNode): TypeNode {
  if ((nodeTypes(left) & nodeTypes(right)) === 0) return neverNode
  if (left.kind === 'primitive') return right
  if (right.kind === 'primitive') return left
  return keyOf(left) === keyOf(right) ? left : neverNode
}

/** Returns a key that is equal for types that print alike, apart from doc comments. */
function keyOf(node: TypeNode): string {
  switch (node.kind) {
    case 'literal':
      return JSON.stringify(node.value)
    case 'primitive':
      return node.name
    case 'definition':
      return `${node.kind} ${node.name} ${node.written}`
    case 'array':
      return `${keyOf(node.item)}[]`
    case 'tuple':
      return `[${node.required}: ${node.elements.map(keyOf).join(', ')} ...${node.rest ? keyOf(node.rest) : ''}]`
    case 'object':
      return `{${node.members.map(memberKey).join(', ')} [${node.index ? keyOf(node.index) : ''}]}`
    case 'union':
      return `(${node.nodes.map(keyOf).join('|')})`
    case 'intersection':
      return `(${node.nodes.map(keyOf).join('&')})`
    default:
      return node.kind
  }
}

function memberKey({ name, node, optional }: Member): string {
  return `${JSON.stringify(name)}${optional ? '?' : ''}: ${keyOf(node)}`
}
