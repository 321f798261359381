import { schemaDoc } from './doc-comment.ts'
import { propertyName, stringLiteral } from './literal.ts'
import type { Member, ObjectNode, TupleNode, TypeNode } from './type-node.ts'

/** How names outside of the type itself are printed. */
export interface TypeTextNames {
  /** The local name of the `Reference` type. */
  reference(): string
  definition(name: string, written: boolean): string
}

const width = 110
const step = '  '

/**
 * A type as TypeScript source, expanded: object members one to a line under their doc comments.
 *
 * @param indent Of the line on which the type begins.
 */
export function typeText(node: TypeNode, names: TypeTextNames, indent = ''): string {
  switch (node.kind) {
    case 'unknown':
    case 'never':
      return node.kind
    case 'primitive':
      return node.name
    case 'literal':
      return typeof node.value === 'string' ? stringLiteral(node.value) : String(node.value)
    case 'reference':
      return names.reference()
    case 'definition':
      return names.definition(node.name, node.written)
    case 'array':
      return `${operand(node.item, names, indent)}[]`
    case 'tuple':
      return tupleText(node, names, indent)
    case 'object':
      return objectText(node, names, indent)
    case 'union':
      return unionText(node.nodes, names, indent)
    case 'intersection':
      return node.nodes.map((part) => operand(part, names, indent)).join(' & ')
  }
}

/** The braces of an object type or an interface, with the members between them. */
export function objectText(node: ObjectNode, names: TypeTextNames, indent = ''): string {
  const inner = indent + step
  const members = node.members.map((member) => memberText(member, names, inner))
  if (node.index) members.push(`${inner}[key: string]: ${indexText(node, names, inner)}\n`)
  // TypeScript's `{}` is any value but null; this is an object with nothing in it.
  if (members.length === 0) return '{ [key: string]: never }'
  const [only = ''] = members
  const isShort =
    members.length === 1 && node.index && only.length < width && only.indexOf('\n') === only.length - 1
  return isShort ? `{ ${only.trim()} }` : `{\n${members.join('')}${indent}}`
}

function memberText(member: Member, names: TypeTextNames, indent: string): string {
  const doc = member.documents ? schemaDoc(member.documents, indent) : ''
  const mark = member.optional ? '?' : ''
  const prefix = `${indent}${member.readonly ? 'readonly ' : ''}${propertyName(member.name)}${mark}:`
  return `${doc}${prefix} ${typeText(member.node, names, indent)}${inherited(member)}\n`
}

/** An object without a member of this name has one all the same: TypeScript finds that of every object, and compares it. */
function inherited({ name, optional }: Member): string {
  return optional && name !== '__proto__' && Object.hasOwn(Object.prototype, name)
    ? ` | {}[${stringLiteral(name)}]`
    : ''
}

/** An optional member may be undefined where `exactOptionalPropertyTypes` is off, and must fit the index even then. */
function indexText(node: ObjectNode, names: TypeTextNames, indent: string): string {
  const { index } = node
  if (!index) return ''
  const text = typeText(index, names, indent)
  return index.kind !== 'unknown' && node.members.some(({ optional }) => optional)
    ? `${text} | undefined`
    : text
}

function tupleText({ elements, required, rest }: TupleNode, names: TypeTextNames, indent: string): string {
  const parts = elements.map((element, index) =>
    index < required ? typeText(element, names, indent) : `${operand(element, names, indent)}?`,
  )
  if (rest) parts.push(`...${operand(rest, names, indent)}[]`)
  return `[${parts.join(', ')}]`
}

/** On one line where it fits; else one alternative to a line, or, where alternatives are objects, brace to brace. */
function unionText(nodes: readonly TypeNode[], names: TypeTextNames, indent: string): string {
  const parts = nodes.map((part) => (part.kind === 'intersection' ? operand : typeText)(part, names, indent))
  const line = parts.join(' | ')
  if (line.includes('\n') || indent.length + line.length <= width) return line
  return parts.map((part) => `\n${indent}${step}| ${part}`).join('')
}

/** A type as a part of a larger one, in parentheses where `|` or `&` would come apart. */
export function operand(node: TypeNode, names: TypeTextNames, indent: string): string {
  const text = typeText(node, names, indent)
  return node.kind === 'union' || node.kind === 'intersection' ? `(${text})` : text
}
