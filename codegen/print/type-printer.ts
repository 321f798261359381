import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { writtenName } from '../names/names.ts'
import { allowsConstant } from './allows-constant.ts'
import { readDefinitions } from './definitions.ts'
import { schemaDoc } from './doc-comment.ts'
import { isHardToCompare } from './hard-to-compare.ts'
import type { Definitions } from './json-types.ts'
import { readType } from './read-type.ts'
import type { TypeNode } from './type-node.ts'
import { objectText, operand, type TypeTextNames, typeText } from './type-text.ts'
import { withReferences } from './with-references.ts'

/** Reads and prints the types of one file with its shared definitions. */
export interface TypePrinter {
  /** Reads the resolved type of a normalised schema. */
  read(schema: Schema): TypeNode
  /** Returns the written form of a type; the same object if it may contain no Reference. */
  written(node: TypeNode): TypeNode
  /** True for a type that the compiler compares badly with its written form, also through definitions. */
  isHardToCompare(node: TypeNode): boolean
  /** True for a type with literals among its values, such as `'low' | 'high'`. */
  allowsConstant(node: TypeNode): boolean
  /** Prints a type that begins on a line of this indentation. */
  text(node: TypeNode, indent?: string): string
  /** Like `text`, in parentheses if a `|` or `&` requires them next to another type. */
  operand(node: TypeNode): string
  /** Prints `export interface` for an object, `export type` for anything else. */
  declaration(name: string, node: TypeNode): string
  /** Prints every shared definition, and the written form of those that were printed so far, by code unit. */
  definitions(): string[]
}

/** @param reference Returns the local name of the `Reference` type; called only if a type uses it. */
export function createTypePrinter(definitions: Definitions, reference: () => string): TypePrinter {
  const shared = readDefinitions(definitions)
  const mentioned = new Set<string>()
  const names: TypeTextNames = {
    reference,
    definition(name, written) {
      if (!written) return name
      mentioned.add(name)
      return writtenName(name)
    },
  }

  const declaration = (name: string, node: TypeNode): string =>
    node.kind === 'object' && (node.members.length > 0 || node.index)
      ? `export interface ${name} ${objectText(node, names)}\n`
      : `export type ${name} = ${typeText(node, names)}\n`

  const written = (node: TypeNode): TypeNode => withReferences(node, shared)

  function printedDefinitions(): string[] {
    const printed = new Map<string, string>()
    for (const [name, node] of shared.nodes) {
      printed.set(name, schemaDoc(definitions[name] ?? true) + declaration(name, node))
    }
    // Printing one written form can require another. Iterating a set includes items added meanwhile.
    for (const name of mentioned) {
      const node = shared.nodes.get(name)
      if (!node) continue
      const doc = schemaDoc(definitions[name] ?? true)
      printed.set(writtenName(name), doc + declaration(writtenName(name), written(node)))
    }
    return [...printed].sort(([left], [right]) => byCodeUnit(left, right)).map(([, text]) => text)
  }

  return {
    read: (schema) => readType(schema, shared.typesOf),
    written,
    isHardToCompare: (node) => isHardToCompare(node, shared.isHardToCompare),
    allowsConstant: (node) => allowsConstant(node, shared.allowsConstant),
    text: (node, indent = '') => typeText(node, names, indent),
    operand: (node) => operand(node, names, ''),
    declaration,
    definitions: printedDefinitions,
  }
}
