import type { NewExpression, Node } from '@babel/types'
import {
  type AnyCall,
  type AnyFunction,
  declaredNames,
  isCall,
  isFunction,
  isNamed,
  memberName,
  nameOf,
  nodesOf,
  returnsOf,
} from './source-tree.ts'

/** Something that is given to a name or a property: a member of what an expression or a type means, or of a module. */
export interface Given {
  readonly node?: Node | null | undefined
  /** A module specifier, instead of a node. */
  readonly from?: string
  /** The members on the way, from a pattern: `['Activity']` for `{ Activity: work }`. */
  readonly path: readonly string[]
}

export interface DeclaredFunction {
  readonly parameters: readonly Node[]
  readonly returns: readonly Given[]
}

/** The key of `export =` and `module.exports =`, whose members are exports. */
export const wholeExport = '='

/** The most arguments that are followed into the functions of a file: a file with more was written by a bundler. */
const mostArguments = 20_000

/** The most functions of one name that are followed: a name with more is that of a minifier. */
const mostFunctions = 300

/** What a source file gives to its names and properties, in whichever scope. */
export class Declarations {
  readonly names: Map<string, Given[]> = new Map()
  readonly properties: Map<string, Given[]> = new Map()
  readonly exports: Map<string, Given[]> = new Map()
  /** The modules that the file exports as a whole. */
  readonly exportedModules: string[] = []
  readonly calls: readonly AnyCall[]
  readonly #declared = new Map<Node, DeclaredFunction>()
  readonly #functions = new Map<string, Set<DeclaredFunction>>()
  readonly #methods = new Map<string, Set<DeclaredFunction>>()
  #arguments = 0

  constructor(tree: Node) {
    const nodes = nodesOf(tree)
    this.calls = nodes.filter(isCall)
    for (const node of nodes) this.#read(node)
    for (const node of nodes) {
      if (this.#arguments > mostArguments) break
      if (isCall(node) || node.type === 'NewExpression') this.#giveArguments(node)
    }
  }

  /** Returns all that is given to something. */
  *given(): Iterable<readonly Given[]> {
    for (const all of [this.names, this.properties, this.exports]) yield* all.values()
    for (const { returns } of this.#declared.values()) yield returns
  }

  /** Returns the functions that an expression names or is, the methods that a member names, and the constructor of a class. */
  functionsOf(node: Node | null | undefined): Iterable<DeclaredFunction> {
    if (!node) return []
    if (node.type === 'Identifier') return this.#functions.get(node.name) ?? []
    const method = memberName(node)
    if (method !== undefined) return this.#methods.get(method) ?? []
    return this.#functionsIn(node)
  }

  /** Returns a function itself, and the constructor of a class. */
  #functionsIn(node: Node): readonly DeclaredFunction[] {
    if (isFunction(node)) return [this.#declare(node)]
    const isClass = node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
    const members: readonly Node[] = isClass ? node.body.body : []
    return members.flatMap((each) =>
      each.type === 'ClassMethod' && each.kind === 'constructor' ? [this.#declare(each)] : [],
    )
  }

  #declare(node: AnyFunction): DeclaredFunction {
    const returns = (): Given[] => returnsOf(node).map((each) => ({ node: each, path: [] }))
    const declared = this.#declared.get(node) ?? { parameters: node.params, returns: returns() }
    this.#declared.set(node, declared)
    return declared
  }

  #read(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const each of node.specifiers) {
          const imported = each.type === 'ImportSpecifier' ? nameOf(each.imported) : 'default'
          const path = each.type === 'ImportNamespaceSpecifier' ? [] : [imported ?? '']
          add(this.names, each.local.name, { from: node.source.value, path })
        }
        break
      case 'TSImportEqualsDeclaration':
        this.#give(node.id, { node: node.moduleReference, path: [] })
        break
      case 'VariableDeclarator':
        this.#give(node.id, { node: node.init, path: [] })
        break
      case 'AssignmentExpression':
        this.#give(node.left, { node: node.right, path: [] })
        break
      case 'ObjectProperty':
      case 'ObjectMethod':
      case 'ClassProperty':
      case 'ClassPrivateProperty':
      case 'ClassAccessorProperty':
      case 'ClassMethod':
      case 'ClassPrivateMethod':
      case 'TSPropertySignature':
        this.#readProperty(node)
        break
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        if (node.id) addAll(this.#functions, node.id.name, this.#functionsIn(node))
        break
      case 'ExportAllDeclaration':
        this.exportedModules.push(node.source.value)
        break
      case 'ExportDefaultDeclaration':
        add(this.exports, 'default', { node: node.declaration, path: [] })
        break
      case 'TSExportAssignment':
        add(this.exports, wholeExport, { node: node.expression, path: [] })
        break
      case 'ExportNamedDeclaration':
        this.#readExports(node)
        break
    }
    if (isFunction(node)) for (const parameter of node.params) this.#give(parameter, { path: [] })
  }

  #readProperty(node: Extract<Node, { readonly key: Node }>): void {
    const name = nameOf(node.key, 'computed' in node && node.computed === true)
    if (name === undefined) return
    const value = 'value' in node ? (node.value as Node | null | undefined) : node
    add(this.properties, name, { node: value, path: [] })
    addAll(this.#methods, name, this.functionsOf(value))
    this.#giveType(this.properties, name, node, [])
  }

  #readExports(node: Extract<Node, { readonly type: 'ExportNamedDeclaration' }>): void {
    for (const each of node.specifiers) {
      const name = nameOf(each.exported) ?? ''
      const path = each.type === 'ExportSpecifier' ? [nameOf(each.local) ?? ''] : []
      if (node.source) add(this.exports, name, { from: node.source.value, path })
      else if (each.type === 'ExportSpecifier') add(this.exports, name, { node: each.local, path: [] })
    }
    for (const each of declaredNames(node.declaration)) add(this.exports, each.name, { node: each, path: [] })
  }

  /** Gives something to a name, a property, or the names of a pattern. */
  #give(target: Node, given: Given): void {
    switch (target.type) {
      case 'Identifier':
        add(this.names, target.name, given)
        if (given.path.length === 0) addAll(this.#functions, target.name, this.functionsOf(given.node))
        this.#giveType(this.names, target.name, target, [])
        break
      case 'ObjectPattern':
        for (const each of target.properties) {
          if (each.type === 'RestElement') this.#give(each.argument, given)
          else this.#giveMember(target, each.value, nameOf(each.key, each.computed), given)
        }
        break
      case 'ArrayPattern':
        for (const [index, each] of target.elements.entries()) {
          if (each) this.#giveMember(target, each, String(index), given)
        }
        break
      case 'AssignmentPattern':
        this.#give(target.left, given)
        this.#give(target.left, { node: target.right, path: [] })
        break
      case 'TSParameterProperty':
        this.#give(target.parameter, given)
        for (const each of declaredNames(target)) add(this.properties, each.name, { node: each, path: [] })
        break
      case 'MemberExpression':
        this.#giveProperty(target.object, memberName(target), given)
        break
    }
  }

  /** A type tells what a name is where nothing that is known is given to it: `activity: typeof Activity`. */
  #giveType(all: Map<string, Given[]>, name: string, node: Node, path: readonly string[]): void {
    const type = 'typeAnnotation' in node ? (node.typeAnnotation as Node | null | undefined) : undefined
    if (type) add(all, name, { node: type, path })
  }

  #giveMember(pattern: Node, target: Node, name: string | undefined, given: Given): void {
    if (name === undefined) return
    this.#give(target, { ...given, path: [...given.path, name] })
    const left = target.type === 'AssignmentPattern' ? target.left : target
    if (left.type === 'Identifier') this.#giveType(this.names, left.name, pattern, [name])
  }

  #giveProperty(object: Node, name: string | undefined, given: Given): void {
    if (name === undefined) return
    add(this.properties, name, given)
    if (isNamed(object, 'module') && name === 'exports') add(this.exports, wholeExport, given)
    const exported = isNamed(object, 'exports') || memberName(object) === 'exports'
    if (exported) add(this.exports, name, given)
  }

  /** Gives the arguments of a call to the parameters of the file's own function, and a promise to the function in `then`. */
  #giveArguments({ callee, arguments: given }: AnyCall | NewExpression): void {
    for (const { parameters } of this.functionsOf(callee)) {
      for (const [index, each] of parameters.entries()) this.#give(each, { node: given[index], path: [] })
      this.#arguments += parameters.length
    }
    if (memberName(callee) !== 'then' || !('object' in callee)) return
    for (const { parameters } of this.functionsOf(given[0])) {
      if (parameters[0]) this.#give(parameters[0], { node: callee.object, path: [] })
    }
  }
}

function add<Item>(all: Map<string, Item[]>, name: string, item: Item): void {
  const before = all.get(name)
  if (before) before.push(item)
  else all.set(name, [item])
}

function addAll<Item>(all: Map<string, Set<Item>>, name: string, items: Iterable<Item>): void {
  const before = all.get(name) ?? new Set()
  for (const item of [...items]) if (before.size < mostFunctions) before.add(item)
  all.set(name, before)
}
