import { isInheritedName } from '../names/inherited-name.ts'
import { schemaDoc } from './doc-comment.ts'
import { propertyName, stringLiteral } from './literal.ts'
import type { Member, ObjectNode, TupleNode, TypeNode } from './type-node.ts'

/** How to print names from outside the type. */
export interface TypeTextNames {
  /** The local name of the `Reference` type. */
  reference(): string
  definition(name: string, written: boolean): string
}

const width = 110
const step = '  '

/**
 * Prints a type as TypeScript source, expanded: one object member per line, below its doc comment.
 *
 * @param indent The indentation of the line on which the type begins.
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
      return `${node.readonly ? 'readonly ' : ''}${operand(node.item, names, indent)}[]`
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

/** Prints the body of an object type or an interface, with its braces. */
export function objectText(node: ObjectNode, names: TypeTextNames, indent = ''): string {
  const inner = indent + step
  const members = node.members.map((member) => memberText(member, names, inner))
  if (node.index) members.push(`${inner}[key: string]: ${indexText(node, names, inner)}\n`)
  // TypeScript's `{}` is any value except null; this is an object without members.
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

/** Adds the inherited member's type to an optional one such as `toString`: TypeScript finds that in an object without its own. */
function inherited({ name, optional }: Member): string {
  return optional && isInheritedName(name) ? ` | {}[${stringLiteral(name)}]` : ''
}

/** Prints the index signature's type. With `exactOptionalPropertyTypes` off, optional members may be undefined and must fit it. */
function indexText(node: ObjectNode, names: TypeTextNames, indent: string): string {
  const { index } = node
  if (!index) return ''
  const text = typeText(index, names, indent)
  return index.kind !== 'unknown' && node.members.some(({ optional }) => optional)
    ? `${text} | undefined`
    : text
}

function tupleText(
  { elements, required, rest, readonly }: TupleNode,
  names: TypeTextNames,
  indent: string,
): string {
  const parts = elements.map((element, index) =>
    index < required ? typeText(element, names, indent) : `${operand(element, names, indent)}?`,
  )
  if (rest) parts.push(`...${operand(rest, names, indent)}[]`)
  return `${readonly ? 'readonly ' : ''}[${parts.join(', ')}]`
}

/** Prints a union on one line if it fits; otherwise one alternative per line, or objects brace to brace. */
function unionText(nodes: readonly TypeNode[], names: TypeTextNames, indent: string): string {
  const parts = nodes.map((part) => (part.kind === 'intersection' ? operand : typeText)(part, names, indent))
  const line = parts.join(' | ')
  if (line.includes('\n') || indent.length + line.length <= width) return line
  return parts.map((part) => `\n${indent}${step}| ${part}`).join('')
}

/** Prints a type as a part of a larger one, in parentheses if a `|`, `&` or `readonly` requires them. */
export function operand(node: TypeNode, names: TypeTextNames, indent: string): string {
  const text = typeText(node, names, indent)
  const isCompound =
    node.kind === 'union' || node.kind === 'intersection' || ('readonly' in node && node.readonly)
  return isCompound ? `(${text})` : text
}
