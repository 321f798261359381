import { anyKey } from '../schema/record-schema.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { applyKeywords } from './apply-keywords.ts'
import type { Lowered, Lowering, Place } from './lowering.ts'

/** The constraints of an object on undeclared properties. */
export interface FreeKeys {
  /** The schema of the keys, if they are sent as strings. */
  readonly key: JsonSchema
  readonly value: Lowered
}

/**
 * Returns the constraints on undeclared properties, from `additionalProperties` and `patternProperties`. Undefined for an object
 * that is closed, or open only by default: dialects close such an object, and the loss is recorded.
 */
export function freeKeys(node: JsonSchema, place: Place, lowering: Lowering): FreeKeys | undefined {
  const patterns = Object.entries(node.patternProperties ?? {}) as [string, JsonSchema][]
  const isExhaustive = patterns.some(([pattern]) => anyKey.has(pattern))
  const open = isExhaustive ? undefined : openSchema(node, lowering)
  if (!open && !isExhaustive && node.additionalProperties === undefined) {
    lowering.lose(node, 'additionalProperties', 'approximated')
  }
  const schemas = [...patterns.map(([, schema]) => schema), ...(open ? [open] : [])]
  const [only] = schemas
  if (!only) return undefined
  if (schemas.length > 1) {
    lowering.lose(node, 'patternProperties', 'approximated')
    lowering.lose(node, 'additionalProperties', 'approximated')
  }
  const union = schemas.length === 1 ? only : lowering.origins.derive({ anyOf: schemas }, node)
  const value = lowering.node(union, { ...place, optional: true })
  // If no value is possible, no key is.
  if (!value) return undefined
  const [pattern] = patterns.length === 1 && !open ? (patterns[0] ?? []) : []
  return { key: keySchema(node, pattern, place, lowering), value }
}

function openSchema(node: JsonSchema, lowering: Lowering): JsonSchema | undefined {
  const { additionalProperties } = node
  if (typeof additionalProperties === 'object') return additionalProperties
  const saysNothing = additionalProperties === undefined && !node.patternProperties && !node.properties
  const isOpen = additionalProperties === true || (saysNothing && node.propertyNames !== undefined)
  return isOpen
    ? lowering.origins.locate(true, `${lowering.origins.place(node)}/additionalProperties`)
    : undefined
}

/** Returns the schema of the keys: kept if they are sent as strings, lost otherwise. */
function keySchema(
  node: JsonSchema,
  pattern: string | undefined,
  place: Place,
  lowering: Lowering,
): JsonSchema {
  const { propertyNames, patternProperties } = node
  const asStrings = lowering.dialect.records === 'entries'
  let key: JsonSchema = { type: 'string' }
  if (pattern !== undefined && !anyKey.has(pattern)) {
    const lose = (): void => {
      lowering.lose(node, 'patternProperties', asStrings ? 'described' : 'dropped', patternProperties)
      // Without its pattern, an otherwise closed object would allow no key at all.
      lowering.lose(node, 'additionalProperties', 'approximated')
    }
    if (asStrings) {
      const said = lowering.withoutLosses(() => applyKeywords({ ...key, pattern }, ['type'], lowering))
      key = { ...key, ...said }
      if (said.pattern === undefined) lose()
    } else lose()
  }
  if (propertyNames === undefined) return key
  if (!asStrings || typeof propertyNames === 'boolean') {
    lowering.lose(node, 'propertyNames', 'dropped')
    return key
  }
  const names = lowering.origins.derive<JsonSchema>({ type: 'string', ...propertyNames }, propertyNames)
  const both = lowering.merging(
    propertyNames,
    () => lowering.intersect(names, key),
    (merged) => lowering.node(merged, place),
  )
  return both?.schema ?? key
}
