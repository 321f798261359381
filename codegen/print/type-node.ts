import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { allTypes, JsonType, type TypeSet } from './json-types.ts'

/** A TypeScript type as data, between reading a schema and printing. */
export type TypeNode =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  | { readonly kind: 'primitive'; readonly name: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'reference' }
  | ArrayNode
  | TupleNode
  | ObjectNode
  | DefinitionNode
  | { readonly kind: 'union'; readonly nodes: readonly TypeNode[] }
  | { readonly kind: 'intersection'; readonly nodes: readonly TypeNode[] }

export interface ArrayNode {
  readonly kind: 'array'
  readonly item: TypeNode
  readonly readonly?: boolean
}

export interface TupleNode {
  readonly kind: 'tuple'
  readonly elements: readonly TypeNode[]
  /** The number of required elements, from the left. */
  readonly required: number
  /** The type of further elements; absent in a closed tuple. */
  readonly rest?: TypeNode
  readonly readonly?: boolean
}

export interface Member {
  readonly name: string
  readonly node: TypeNode
  readonly optional: boolean
  readonly readonly?: boolean
  /** The schema from which the doc comment is printed. */
  readonly documents?: JsonSchema | undefined
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly members: readonly Member[]
  /** The type of the index signature, for members that are not named. */
  readonly index?: TypeNode
}

/** A shared definition by name, in its resolved or written form (REF-1). */
export interface DefinitionNode {
  readonly kind: 'definition'
  readonly name: string
  readonly written: boolean
  /** The JSON types of the definition's values, to decide whether a type next to the reference adds anything. */
  readonly types: TypeSet
}

export const unknownNode: TypeNode = { kind: 'unknown' }
export const neverNode: TypeNode = { kind: 'never' }
export const stringNode: TypeNode = { kind: 'primitive', name: 'string' }
export const numberNode: TypeNode = { kind: 'primitive', name: 'number' }
export const booleanNode: TypeNode = { kind: 'primitive', name: 'boolean' }
export const nullNode: TypeNode = { kind: 'literal', value: null }
export const referenceNode: TypeNode = { kind: 'reference' }

/** Returns the JSON types that a type's values can have. */
export function nodeTypes(node: TypeNode): TypeSet {
  switch (node.kind) {
    case 'unknown':
      return allTypes
    case 'never':
      return 0
    case 'primitive':
      return JsonType[node.name]
    case 'literal':
      return node.value === null
        ? JsonType.null
        : JsonType[typeof node.value as 'string' | 'number' | 'boolean']
    case 'reference':
      return JsonType.string
    case 'array':
    case 'tuple':
      return JsonType.array
    case 'object':
      return JsonType.object
    case 'definition':
      return node.types
    case 'union':
      return node.nodes.reduce((types, part) => types | nodeTypes(part), 0)
    case 'intersection':
      return node.nodes.reduce((types, part) => types & nodeTypes(part), allTypes)
  }
}
