import { fixedValue } from '../../runtime/schema/fixed-value.ts'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { stringLiteral } from '../print/literal.ts'
import { type Item, object, printList } from './layout.ts'
import { type ImportedTool, underscoreParameters } from './normalise-tool.ts'
import { jsonSource, optionItems, propertyItems, typeboxSource } from './typebox-source.ts'

/** The first lines of every definitions file. */
export const importLines = `import { tool } from 'callsheet'
import { Type } from 'typebox'
`

/** Prints a Tool's definition as TypeBox source. */
export function printTool(tool: ImportedTool, constant: string): string {
  const { properties = {}, required = [] } = tool.input
  const names = new Set(required)
  const members: Item[] = [
    ...propertyItems(properties, (name) => !names.has(name)),
    { key: '_output', value: typeboxSource(tool.output) },
  ]
  const options = toolOptions(tool)
  const last = options.length > 0 ? `, ${printList(object(options))}` : ''
  return `export const ${constant} = tool(${stringLiteral(tool.name)}, ${printList(object(members))}${last})\n`
}

const effectsComment = {
  hints: 'As the server says of itself: check it before anything is retried or raced.',
  default: 'The source does not say. Change it to "read" or "idempotent" where that is true.',
} as const

function toolOptions(tool: ImportedTool): Item[] {
  const { title, description, effects, effectsFrom, options, definitions } = tool
  const parameters = underscoreParameters(tool)
  const items: Item[] = []
  if (title !== undefined) items.push({ key: 'title', value: jsonSource(title) })
  if (description !== undefined) items.push({ key: 'description', value: jsonSource(description) })
  if (effects !== undefined) {
    items.push({ key: 'effects', value: jsonSource(effects), comment: effectsComment[effectsFrom] })
  }
  const { parameters: _parameters, ...otherOptions } = options
  items.push(...optionItems(otherOptions))
  if (parameters.length > 0) items.push({ key: 'parameters', value: jsonSource(parameters) })
  items.push(...optionItems(rootKeywords(tool.input)))
  if (Object.keys(definitions).length > 0) items.push(...optionItems({ $defs: definitions }))
  return items
}

/** Returns the root's keywords besides its properties. `tool()` closes objects by default; JSON Schema leaves them open. */
export function rootKeywords(input: JsonSchema): JsonSchema {
  const { type: _type, properties = {}, required = [], additionalProperties = true, ...rest } = input
  if (isWrapped(input)) return wrappedRoot(input)
  return {
    ...(additionalProperties !== false && { additionalProperties }),
    ...(!isComputed(properties, required) && { required: ['_tool', ...required] }),
    ...rest,
  }
}

/** Whether the root's whole schema has to be put into `allOf`. */
export function isWrapped({ unevaluatedProperties }: JsonSchema): boolean {
  return unevaluatedProperties !== undefined
}

/**
 * Puts the whole schema into `allOf`: `unevaluatedProperties` depends on an `additionalProperties` next to it, which `tool()`
 * always writes.
 */
function wrappedRoot(input: JsonSchema): JsonSchema {
  return { additionalProperties: true, allOf: [input] }
}

/** Whether `tool()` derives the same `required`. */
function isComputed(properties: Readonly<Record<string, unknown>>, required: readonly string[]): boolean {
  return required.every(
    (name) => Object.hasOwn(properties, name) && !isFixedMetaField(name, properties[name]),
  )
}

function isFixedMetaField(name: string, schema: unknown): boolean {
  return isMetaField(name) && fixedValue(schema) !== undefined
}
