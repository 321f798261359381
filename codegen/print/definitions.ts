import { byCodeUnit } from '../../runtime/json/json.ts'
import { allowsConstant } from './allows-constant.ts'
import { intersection, union } from './combine.ts'
import { holdsIntersection } from './holds-intersection.ts'
import { type Definitions, type TypesOfDefinition, typesOfDefinitions } from './json-types.ts'
import { readType } from './read-type.ts'
import { settle } from './settle.ts'
import { type TypeNode, unknownNode } from './type-node.ts'
import { acceptsEveryString, type DefinitionFacts, withReferences } from './with-references.ts'

/** The shared definitions of a file, read as types, with what other types need to know of them. */
export interface SharedTypes extends DefinitionFacts {
  /** By code unit of their names. */
  readonly nodes: ReadonlyMap<string, TypeNode>
  readonly typesOf: TypesOfDefinition
  /** True for a definition whose type is an intersection somewhere. */
  readonly holdsIntersection: (name: string) => boolean
  /** True for a definition whose values can be named one by one, at least some of them. */
  readonly allowsConstant: (name: string) => boolean
}

/** Reads all shared definitions. Throws when one refers to a definition that does not exist. */
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
  const intersecting = grown(nodes, holdsIntersection)
  return {
    nodes,
    typesOf,
    acceptsEveryString: acceptsEvery,
    differs: (name) => differing.has(name),
    holdsIntersection: (name) => intersecting.has(name),
    allowsConstant: (name) => naming.has(name),
  }
}

/**
 * A type alias may mention itself inside of an object, a list or a tuple, but not be itself (`type A = A | string`).
 * Such a mention says nothing that a valid value must be, so it becomes `unknown`.
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

/** The names of which something is true, where that can hang on other names. */
function grown(
  nodes: ReadonlyMap<string, TypeNode>,
  holds: (node: TypeNode, isFound: (name: string) => boolean) => boolean,
): ReadonlySet<string> {
  const facts = settle(nodes.keys(), false, (name, known) =>
    holds(nodes.get(name) ?? unknownNode, (other) => known(other) === true),
  )
  return new Set([...facts].flatMap(([name, isTrue]) => (isTrue ? [name] : [])))
}
