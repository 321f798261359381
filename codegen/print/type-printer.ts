import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { writtenName } from '../names/names.ts'
import { allowsConstant } from './allows-constant.ts'
import { readDefinitions } from './definitions.ts'
import { schemaDoc } from './doc-comment.ts'
import { holdsIntersection } from './holds-intersection.ts'
import type { Definitions } from './json-types.ts'
import { readType } from './read-type.ts'
import type { TypeNode } from './type-node.ts'
import { objectText, operand, type TypeTextNames, typeText } from './type-text.ts'
import { withReferences } from './with-references.ts'

/** Reads and prints the types of one file, whose shared definitions it knows. */
export interface TypePrinter {
  /** The resolved type of a normalised schema. */
  read(schema: Schema): TypeNode
  /** The written form of a type; the same object when no Reference may stand in it. */
  written(node: TypeNode): TypeNode
  /** True for a type that is an intersection somewhere, through definitions as well. */
  holdsIntersection(node: TypeNode): boolean
  /** True for a type of which a text, a number or a boolean alone is a value: `'low' | 'high'`. */
  allowsConstant(node: TypeNode): boolean
  /** A type as source text, which begins on a line of this indentation. */
  text(node: TypeNode, indent?: string): string
  /** As `text`, in parentheses where `|` or `&` would come apart beside another type. */
  operand(node: TypeNode): string
  /** `export interface` for an object, `export type` for anything else. */
  declaration(name: string, node: TypeNode): string
  /** Every shared definition, and the written form of each that printed text has mentioned, by code unit. */
  definitions(): string[]
}

/** @param reference Gives the local name of the `Reference` type; called only when a type mentions it. */
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
    // Printing one written form can mention another; a Set gives what is added while it is walked.
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
    holdsIntersection: (node) => holdsIntersection(node, shared.holdsIntersection),
    allowsConstant: (node) => allowsConstant(node, shared.allowsConstant),
    text: (node, indent = '') => typeText(node, names, indent),
    operand: (node) => operand(node, names, ''),
    declaration,
    definitions: printedDefinitions,
  }
}
