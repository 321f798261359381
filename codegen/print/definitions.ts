import { byCodeUnit } from '../../runtime/json/json.ts'
import { allowsConstant } from './allows-constant.ts'
import { intersection, union } from './combine.ts'
import { isHardToCompare } from './hard-to-compare.ts'
import { type Definitions, type TypesOfDefinition, typesOfDefinitions } from './json-types.ts'
import { readType } from './read-type.ts'
import { settle } from './settle.ts'
import { type TypeNode, unknownNode } from './type-node.ts'
import { acceptsEveryString, type DefinitionFacts, withReferences } from './with-references.ts'

/** The shared definitions of a file as types, with the facts about them that other types depend on. */
export interface SharedTypes extends DefinitionFacts {
  /** Sorted by name, by code unit. */
  readonly nodes: ReadonlyMap<string, TypeNode>
  readonly typesOf: TypesOfDefinition
  /** True for a definition whose type the compiler compares badly. */
  readonly isHardToCompare: (name: string) => boolean
  /** True for a definition with literals among its values. */
  readonly allowsConstant: (name: string) => boolean
}

/** Reads all shared definitions. Throws if one refers to a definition that does not exist. */
export function readDefinitions(definitions: Definitions): SharedTypes {
  const typesOf = typesOfDefinitions(definitions)
  const nodes = new Map<string, TypeNode>()
  for (const name of Object.keys(definitions).sort(byCodeUnit)) {
    nodes.set(name, readType(definitions[name] ?? true, typesOf))
  }
  cutCircles(nodes)
  const everyString = definitionsOfEveryString(nodes)
  const acceptsEvery = (name: string): boolean => everyString.has(name)
  const differing = differingDefinitions(nodes, acceptsEvery)
  const naming = grown(nodes, allowsConstant)
  const hard = grown(nodes, isHardToCompare)
  return {
    nodes,
    typesOf,
    acceptsEveryString: acceptsEvery,
    differs: (name) => differing.has(name),
    isHardToCompare: (name) => hard.has(name),
    allowsConstant: (name) => naming.has(name),
  }
}

/**
 * Replaces direct references of a type alias to itself by `unknown`. TypeScript allows them inside an object, a list or
 * a tuple, but not as in `type A = A | string`, where they do not constrain a value.
 */
function cutCircles(nodes: Map<string, TypeNode>): void {
  const done = new Set<string>()
  const open = new Set<string>()

  function visit(name: string): void {
    const node = nodes.get(name)
    if (done.has(name) || !node) return
    open.add(name)
    nodes.set(name, cut(node))
    open.delete(name)
    done.add(name)
  }

  function cut(node: TypeNode): TypeNode {
    switch (node.kind) {
      case 'definition':
        if (open.has(node.name)) return unknownNode
        visit(node.name)
        return node
      case 'union':
        return same(node.nodes, cut) ? node : union(node.nodes.map(cut))
      case 'intersection':
        return same(node.nodes, cut) ? node : intersection(node.nodes.map(cut))
      default:
        return node
    }
  }

  for (const name of nodes.keys()) visit(name)
}

function same(nodes: readonly TypeNode[], change: (node: TypeNode) => TypeNode): boolean {
  return nodes.every((node) => change(node) === node)
}

function definitionsOfEveryString(nodes: ReadonlyMap<string, TypeNode>): ReadonlySet<string> {
  return grown(nodes, acceptsEveryString)
}

function differingDefinitions(
  nodes: ReadonlyMap<string, TypeNode>,
  acceptsEvery: (name: string) => boolean,
): ReadonlySet<string> {
  return grown(nodes, (node, differs) => {
    const facts = { acceptsEveryString: acceptsEvery, differs }
    return withReferences(node, facts) !== node
  })
}

/** Returns the names with a property that may depend on other names. */
function grown(
  nodes: ReadonlyMap<string, TypeNode>,
  holds: (node: TypeNode, isFound: (name: string) => boolean) => boolean,
): ReadonlySet<string> {
  const facts = settle(nodes.keys(), false, (name, known) =>
    holds(nodes.get(name) ?? unknownNode, (other) => known(other) === true),
  )
  return new Set([...facts].flatMap(([name, isTrue]) => (isTrue ? [name] : [])))
}
