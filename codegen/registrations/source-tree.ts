import type {
  ArrowFunctionExpression,
  CallExpression,
  ClassMethod,
  ClassPrivateMethod,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  Node,
  ObjectMethod,
  OptionalCallExpression,
} from '@babel/types'

export type AnyCall = CallExpression | OptionalCallExpression

export type AnyFunction =
  | ArrowFunctionExpression
  | ClassMethod
  | ClassPrivateMethod
  | FunctionDeclaration
  | FunctionExpression
  | ObjectMethod

/** Returns all nodes of a tree: each before those in it. */
export function nodesOf(tree: Node): Node[] {
  const nodes = [tree]
  for (const node of nodes) {
    // A list of the values of each node would take most of the time.
    for (const key in node) {
      const part: unknown = node[key as keyof Node]
      if (typeof part !== 'object' || part === null) continue
      if (isNode(part)) nodes.push(part)
      else if (Array.isArray(part)) for (const child of part) if (isNode(child)) nodes.push(child)
    }
  }
  return nodes
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function isCall(node: Node): node is AnyCall {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression'
}

export function isFunction(node: Node): node is AnyFunction {
  return 'params' in node && 'body' in node
}

/** Returns what a function returns: also what functions in it return. */
export function returnsOf({ body }: AnyFunction): Node[] {
  if (body.type !== 'BlockStatement') return [body]
  return nodesOf(body).flatMap((node) =>
    node.type === 'ReturnStatement' && node.argument ? [node.argument] : [],
  )
}

export function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

/** Returns the text of a name: of an identifier that is not computed, of a private name, of a text, or of a number. */
export function nameOf(node: Node, isComputed = false): string | undefined {
  if (node.type === 'Identifier') return isComputed ? undefined : node.name
  if (node.type === 'PrivateName') return `#${node.id.name}`
  return node.type === 'NumericLiteral' ? String(node.value) : textOf(node)
}

/** Returns the name of the member that an expression takes. */
export function memberName(node: Node): string | undefined {
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
  return isMember ? nameOf(node.property, node.computed) : undefined
}

/** Returns the text of a literal, and of a template without placeholders. */
export function textOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value
  const [only, more] = node?.type === 'TemplateLiteral' ? node.quasis : []
  return more === undefined ? (only?.value.cooked ?? undefined) : undefined
}

/** Returns the expression inside of types and parentheses. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'TypeCastExpression':
    case 'ParenthesizedExpression':
      return bare(node.expression)
    default:
      return node
  }
}

/** Returns the names that a declaration declares, or a pattern binds. */
export function declaredNames(node: Node | null | undefined): Identifier[] {
  switch (node?.type) {
    case 'Identifier':
      return [node]
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => declaredNames(id))
    case 'TSImportEqualsDeclaration':
      return [node.id]
    case 'ObjectPattern':
      return node.properties.flatMap((each) =>
        declaredNames(each.type === 'RestElement' ? each.argument : each.value),
      )
    case 'ArrayPattern':
      return node.elements.flatMap(declaredNames)
    case 'AssignmentPattern':
      return declaredNames(node.left)
    case 'RestElement':
      return declaredNames(node.argument)
    case 'TSParameterProperty':
      return declaredNames(node.parameter)
    default:
      return []
  }
}
