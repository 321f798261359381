import type { JsonSchema, Schema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import type { Codec, TupleCodec } from './codec/codec.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'
import { optionalForm } from './nullable.ts'
import { described } from './words.ts'

/** Lowers an array, or a tuple in the dialect's form. */
export function lowerArray(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  if (node.prefixItems) {
    const { tuples } = lowering.dialect
    return tuples === 'keep' ? keptTuple(node, place, lowering) : tupleObject(node, place, lowering)
  }
  const outer = applyKeywords(node, ['type', 'items'], lowering)
  const items = node.items === false ? undefined : lowering.node(itemSchema(node, lowering), place)
  if (!items) return emptyList(node, outer, lowering)
  const value: Codec | undefined = items.value && { kind: 'array', items: items.value }
  return { schema: { type: 'array', ...outer, items: items.schema }, value }
}

/** Lowers an array that must be empty. Its items still need a type. */
function emptyList(node: JsonSchema, outer: JsonSchema, lowering: Lowering): Lowered | undefined {
  if (Number(node.minItems ?? 0) > 0) return undefined
  const items: JsonSchema = { type: 'string' }
  if (lowering.dialect.keywords.maxItems === 'keep') {
    return { schema: { type: 'array', ...outer, items, maxItems: 0 }, value: undefined }
  }
  lowering.lose(node, node.prefixItems ? 'prefixItems' : 'items', 'described')
  const description = described(outer.description, ['Always empty.'])
  return { schema: { type: 'array', ...outer, ...(description && { description }), items }, value: undefined }
}

/** Lowers the schema of all items after the tuple's own. Without one they may be anything. */
function itemSchema(node: JsonSchema, lowering: Lowering): JsonSchema {
  const { items } = node
  if (typeof items === 'object' && !Array.isArray(items)) return items
  return lowering.origins.locate({}, `${lowering.origins.place(node)}/items`)
}

function keptTuple(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const first: Lowered[] = []
  for (const item of node.prefixItems ?? []) {
    const lowered = typeof item === 'boolean' ? undefined : lowering.node(item, place)
    // The array must end before a position for which no value is possible.
    if (!lowered) break
    first.push(lowered)
  }
  const isCut = first.length < (node.prefixItems?.length ?? 0)
  if (isCut && Number(node.minItems ?? 0) > first.length) return undefined
  const rest = node.items === false || isCut ? undefined : lowering.node(itemSchema(node, lowering), place)
  const outer = applyKeywords(node, ['type', 'items', 'prefixItems'], lowering)
  if (first.length === 0) return emptyList(node, outer, lowering)
  const schema: JsonSchema = {
    type: 'array',
    ...outer,
    prefixItems: first.map((item) => item.schema),
    items: rest?.schema ?? false,
  }
  const changes = rest?.value !== undefined || first.some(({ value }) => value !== undefined)
  return {
    schema,
    value: changes
      ? { kind: 'prefix', items: first.map(({ value }) => value), rest: rest?.value }
      : undefined,
  }
}

/** Lowers a tuple to an object: `item1`, `item2`, …, and `rest` for further items. */
function tupleObject(node: JsonSchema, place: Place, lowering: Lowering): Lowered | undefined {
  const { prefixItems = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node
  const [fewest, most] = [Number(minItems), Number(maxItems)]
  const properties = new Map<string, Schema>()
  const required: string[] = []
  const items: TupleCodec['items'][number][] = []
  let isCut = false
  for (const [index, item] of prefixItems.entries()) {
    const isRequired = index < fewest
    const inner = { ...place, optional: place.optional || !isRequired }
    const lowered = index >= most || typeof item === 'boolean' ? undefined : lowering.node(item, inner)
    isCut = lowered === undefined
    if (!lowered) {
      if (isRequired) return undefined
      break
    }
    const name = `item${index + 1}`
    const asNullable = !isRequired && lowering.dialect.optional === 'nullable'
    const form = asNullable && typeof item !== 'boolean' ? optionalForm(item, lowered, lowering) : undefined
    properties.set(name, form?.schema ?? lowered.schema)
    if (isRequired || asNullable) required.push(name)
    items.push({ name, member: { value: lowered.value, ...(form && { absent: form.absent }) } })
  }

  const hasRest = node.items !== false && !isCut && most > prefixItems.length
  const rest = hasRest ? lowering.node(itemSchema(node, lowering), place) : undefined
  const fewestMore = Math.max(0, fewest - prefixItems.length)
  if (!rest && fewestMore > 0) return undefined
  const restName = 'rest'
  if (rest) {
    properties.set(restName, restList(node, rest.schema, fewestMore, lowering))
    required.push(restName)
  }
  lowering.standIn(node, 'tuple')
  const settled = ['type', 'items', 'prefixItems', 'minItems', 'maxItems']
  return {
    schema: {
      type: 'object',
      ...applyKeywords(node, settled, lowering),
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
    },
    value: { kind: 'tuple', items, ...(rest && { rest: { name: restName, value: rest.value } }) },
  }
}

/** Lowers the items after the tuple's own; their number is bounded by what the whole array's bounds leave. */
function restList(node: JsonSchema, items: JsonSchema, fewest: number, lowering: Lowering): JsonSchema {
  const length = node.prefixItems?.length ?? 0
  const bounds: JsonSchema = {
    ...(fewest > 0 && { minItems: fewest }),
    ...(node.maxItems !== undefined && { maxItems: Number(node.maxItems) - length }),
  }
  return { type: 'array', ...applyKeywords(lowering.origins.derive(bounds, node), [], lowering), items }
}
