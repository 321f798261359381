import type { ArrayExpression, Node, ObjectExpression } from '@babel/types'
import { Declarations, type Given, wholeExport } from './declarations.ts'
import { type AnyCall, bare, isNamed, memberName, nameOf, textOf } from './source-tree.ts'

/** Where an expression leads to outside of its file. */
export interface Reference {
  /** The specifier of a module; {@link madeByHand} for what `createRegistry` returns; undefined if the text does not tell. */
  readonly from: string | undefined
  /** The members from there on: `['Activity', 'register']`. */
  readonly path: readonly string[]
}

/** An object or list of the file, whose members are read when they are asked for. */
interface Literal {
  readonly literal: Node
}

/** What an expression may mean, as far as it may lead to an `Activity`. */
export type Value = Reference | Literal

/** Stands for a registry without generated code, in {@link Reference}. */
export const madeByHand = 'createRegistry'

/** Longer paths are of names that are given members of themselves. */
const longestPath = 8

/** The most values of one expression: more are of a name that is given its own members in turn. */
const mostValues = 30

/** The most rounds of evaluation. What is declared in order needs two. */
const mostRounds = 10

/** The most values of a round that another one follows: a file with more was written by a bundler. */
const mostEvaluated = 100_000

/**
 * The values of a file's expressions, as far as its text tells. Names and properties count in the whole file: what is one thing here
 * and another there has both values.
 */
export class SourceValues {
  readonly declarations: Declarations
  /** What is given to a name, a property or as a result means so far. */
  readonly #known = new Map<readonly Given[], readonly Value[]>()
  readonly #modules = new Map<string | undefined, readonly Reference[]>()
  readonly #members = new Map<Reference, Map<string, Reference>>()
  readonly #literals = new Map<Node, readonly Literal[]>()
  /** What nodes mean by that, in this round. */
  readonly #evaluated = new Map<unknown, readonly Value[]>()

  constructor(tree: Node) {
    this.declarations = new Declarations(tree)
    for (let round = 0; round < mostRounds && this.#evaluateAll(); round++) {
      if (this.#isLarge()) break
      this.#evaluated.clear()
    }
    this.#evaluated.clear()
  }

  #isLarge(): boolean {
    let values = 0
    for (const { length } of this.#evaluated.values()) values += length
    return values > mostEvaluated
  }

  /** Evaluates whatever is given to something. Returns whether values were added. */
  #evaluateAll(): boolean {
    let hasChanged = false
    for (const given of this.declarations.given()) {
      const before = this.#given(given)
      const values = distinct([...before, ...given.flatMap((each) => this.#ofGiven(each))])
      if (values.length === before.length) continue
      this.#known.set(given, values)
      hasChanged = true
    }
    return hasChanged
  }

  #ofGiven({ node, from, path }: Given): readonly Value[] {
    const whole = from === undefined ? this.of(node) : this.#module(from)
    return path.reduce<readonly Value[]>((values, each) => this.member(values, each), whole)
  }

  /** Returns what an expression means, or a type with `typeof`. */
  of(node: Node | null | undefined): readonly Value[] {
    return node ? this.#once(node, () => this.#evaluate(bare(node))) : []
  }

  /** Returns what a member of values means. */
  member(values: readonly Value[], name: string): readonly Value[] {
    if (values.length === 0) {
      return [...this.#given(this.declarations.properties.get(name)), ...this.#unknown(name)]
    }
    return distinct(
      values.flatMap((value) => {
        if ('literal' in value) return this.#memberOf(value.literal, name)
        return value.path.length < longestPath ? [this.#memberOfReference(value, name)] : []
      }),
    )
  }

  /** Returns one object for each reference, so that values compare by identity. */
  #memberOfReference(reference: Reference, name: string): Reference {
    const members = this.#members.get(reference) ?? new Map<string, Reference>()
    const known = members.get(name) ?? { from: reference.from, path: [...reference.path, name] }
    this.#members.set(reference, members.set(name, known))
    return known
  }

  #module(from: string | undefined): readonly Reference[] {
    const known = this.#modules.get(from) ?? [{ from, path: [] }]
    this.#modules.set(from, known)
    return known
  }

  #loaded(specifier: Node | undefined): readonly Value[] {
    const from = textOf(specifier)
    return from === undefined ? [] : this.#module(from)
  }

  /** A member of something unknown: whatever has an `Activity` may be generated code. */
  #unknown(name: string): readonly Value[] {
    return name === 'Activity' ? this.member(this.#module(undefined), name) : []
  }

  #literal(node: ObjectExpression | ArrayExpression): readonly Literal[] {
    const known = this.#literals.get(node) ?? [{ literal: node }]
    this.#literals.set(node, known)
    return known
  }

  /** Returns what a path of members of the file's exports means. */
  exported([name = '', ...rest]: readonly string[]): readonly Value[] {
    const { exports } = this.declarations
    const whole = this.#given(exports.get(wholeExport))
    const named = [
      ...this.#given(exports.get(name)),
      ...(whole.length > 0 ? this.member(whole, name) : []),
      ...(name === 'default' ? whole : []),
    ]
    const isThere = exports.has(name) || named.length > 0
    return isThere ? rest.reduce<readonly Value[]>((values, each) => this.member(values, each), named) : []
  }

  /** Returns the paths of an export and of the members that its objects list. */
  exportedPaths(name: string): (readonly string[])[] {
    const literals = this.#given(this.declarations.exports.get(name)).flatMap((value) =>
      'literal' in value ? memberNames(value.literal) : [],
    )
    const path = name === wholeExport ? [] : [name]
    return [path.length > 0 ? path : ['default'], ...literals.map((member) => [...path, member])]
  }

  #once(key: unknown, evaluate: () => readonly Value[]): readonly Value[] {
    const known = this.#evaluated.get(key)
    if (known) return known
    // Adds nothing where it leads back to itself.
    this.#evaluated.set(key, [])
    const values = distinct(evaluate())
    this.#evaluated.set(key, values)
    return values
  }

  #given(all: readonly Given[] | undefined): readonly Value[] {
    return (all && this.#known.get(all)) ?? []
  }

  #evaluate(node: Node): readonly Value[] {
    switch (node.type) {
      case 'Identifier': {
        const values = this.#given(this.declarations.names.get(node.name))
        return values.length > 0 ? values : this.#unknown(node.name)
      }
      case 'MemberExpression':
      case 'OptionalMemberExpression': {
        const name = memberName(node)
        return name === undefined ? [] : this.member(this.of(node.object), name)
      }
      case 'TSQualifiedName':
        return this.member(this.of(node.left), nameOf(node.right) ?? '')
      case 'AwaitExpression':
        return this.of(node.argument)
      case 'AssignmentExpression':
        return this.of(node.right)
      case 'SequenceExpression':
        return this.of(node.expressions.at(-1))
      case 'ConditionalExpression':
        return [...this.of(node.consequent), ...this.of(node.alternate)]
      case 'LogicalExpression':
        return [...this.of(node.left), ...this.of(node.right)]
      case 'ObjectExpression':
        return node.properties.some((each) => this.of(partOf(each)).length > 0) ? this.#literal(node) : []
      case 'ArrayExpression':
        return node.elements.some((each) => this.of(each).length > 0) ? this.#literal(node) : []
      case 'ImportExpression':
        return this.#loaded(node.source)
      case 'TSExternalModuleReference':
        return this.#loaded(node.expression)
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#returned(node)
      case 'TSTypeAnnotation':
      case 'TypeAnnotation':
        return this.of(node.typeAnnotation)
      case 'TSTypeQuery':
        return this.of(node.exprName)
      case 'TSImportType':
        return membersOf(node.qualifier).reduce<readonly Value[]>(
          (values, each) => this.member(values, each),
          this.#loaded(node.source),
        )
      default:
        return []
    }
  }

  #memberOf(literal: Node, name: string): readonly Value[] {
    return this.#once(`${literal.start} ${name}`, () => {
      if (literal.type === 'ArrayExpression') return this.of(literal.elements[Number(name)])
      if (literal.type !== 'ObjectExpression') return []
      return literal.properties.flatMap((property) => {
        if (property.type === 'SpreadElement') return this.member(this.of(property.argument), name)
        const isIt = property.type === 'ObjectProperty' && nameOf(property.key, property.computed) === name
        return isIt ? this.of(property.value) : []
      })
    })
  }

  /** Returns what a call returns: a module, a registry, a function bound to its object, or what the file's own function returns. */
  #returned({ callee, arguments: given }: AnyCall): readonly Value[] {
    if (isNamed(callee, 'require')) return this.#loaded(given[0])
    const called = this.of(callee)
    const makes = isNamed(callee, madeByHand) || called.some((value) => lastOf(value) === madeByHand)
    if (makes) return this.#module(madeByHand)
    const method = memberName(callee)
    const object = 'object' in callee ? callee.object : undefined
    if (method === 'bind') return this.of(object)
    if (method === 'all' && object && isNamed(object, 'Promise')) return this.of(given[0])
    const functions = this.declarations.functionsOf(method === 'then' ? given[0] : callee)
    return this.#once(functions, () => [...functions].flatMap(({ returns }) => this.#given(returns)))
  }
}

/** Returns the last member on the way to a value. */
export function lastOf(value: Value): string | undefined {
  return 'path' in value ? value.path.at(-1) : undefined
}

function membersOf(name: Node | null | undefined): string[] {
  if (name?.type === 'TSQualifiedName') return [...membersOf(name.left), nameOf(name.right) ?? '']
  return name?.type === 'Identifier' ? [name.name] : []
}

/** Returns what a property gives to its object. */
function partOf(property: ObjectExpression['properties'][number]): Node | undefined {
  if (property.type === 'SpreadElement') return property.argument
  return property.type === 'ObjectProperty' ? property.value : undefined
}

function memberNames(literal: Node): string[] {
  if (literal.type !== 'ObjectExpression') return []
  return literal.properties.flatMap((each) =>
    each.type === 'ObjectProperty' ? (nameOf(each.key, each.computed) ?? []) : [],
  )
}

/** Returns each value once, up to a limit. */
function distinct(values: readonly Value[]): readonly Value[] {
  return values.length < 2 ? values : [...new Set(values)].slice(0, mostValues)
}
