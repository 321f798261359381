import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { isInPlace, keywordNames } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import {
  forEachChildSchema,
  mapChildSchemas,
  referredDefinitions,
} from '../../runtime/schema/schema-children.ts'
import { withoutForbidden } from './normalise-schema.ts'

/**
 * Closes the objects in parameters that do not set `additionalProperties`, at any depth: sending fewer properties than a
 * server accepts is always valid (GEN-10). An object stays open if closing it could refuse valid values: if other schemas
 * apply to the same value, or if it declares no properties.
 *
 * @param shared Names of definitions that outputs use too; those are not changed.
 */
export function closeParameters(
  input: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
  shared: readonly string[],
): { input: JsonSchema; definitions: Record<string, Schema> } {
  const closable = closableDefinitions(input, definitions, shared)
  const closed = Object.entries(definitions).map(([name, schema]): [string, Schema] => [
    name,
    closable.has(name) ? close(schema) : schema,
  ])
  const root = close(input)
  const isEmpty = Object.keys(input.properties ?? {}).length === 0 && isSilent(input)
  return {
    input: isEmpty ? { ...input, additionalProperties: false } : isJsonObject(root) ? root : input,
    definitions: Object.fromEntries(closed),
  }
}

function close(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const mayClose = closableParts(schema)
  const inner = mapChildSchemas(schema, (child, keyword, key) =>
    mayClose(keyword, key) ? close(child) : child,
  )
  const says = Object.keys(schema.properties ?? {}).length > 0 && isSilent(schema)
  return says ? withoutForbidden({ ...inner, additionalProperties: false }) : inner
}

/** Whether a schema does not restrict properties beyond those that it lists. */
function isSilent(schema: JsonSchema): boolean {
  const { properties = {}, required = [], dependentRequired, minProperties } = schema
  const followers = isJsonObject(dependentRequired) ? Object.values(dependentRequired).flat() : []
  const names = Object.keys(properties)
  return (
    !['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames'].some((keyword) =>
      Object.hasOwn(schema, keyword),
    ) &&
    !Object.keys(schema).some(sharesValue) &&
    [...required, ...followers].every((name) => Object.hasOwn(properties, String(name))) &&
    (typeof minProperties !== 'number' || minProperties <= names.length)
  )
}

/** Whether a keyword applies another schema to the same value, or lists the whole values. */
function sharesValue(keyword: string): boolean {
  return ofWholeValue.includes(keyword) || isInPlace(keyword)
}

const ofWholeValue: readonly string[] = ['$ref', 'const', 'enum']

/**
 * Returns which nested schemas are the only ones for their values, so that they may be closed: no keyword next to them, and no
 * schema of the whole value (such as `then`), constrains the nested object.
 */
function closableParts(schema: JsonSchema): (keyword: string, key: string | undefined) => boolean {
  const { names, members, items } = lookedAt(schema)
  const patterns = Object.keys(schema.patternProperties ?? {})
  const alone: Readonly<Record<string, (key: string) => boolean>> = {
    anyOf: () => isAlone('anyOf', schema),
    properties: (key) => !members && !names.has(key) && patterns.length === 0,
    // Two patterns may match one name.
    patternProperties: () =>
      !members && names.size === 0 && patterns.length === 1 && schema.properties === undefined,
    additionalProperties: () => !members && names.size === 0,
    items: () => !items && schema.contains === undefined,
    prefixItems: () => !items && schema.contains === undefined,
  }
  return (keyword, key = '') => alone[keyword]?.(key) ?? false
}

/** The parts of a value that in-place schemas constrain: properties by name, any properties, items. */
interface Looked {
  readonly names: Set<string>
  members: boolean
  items: boolean
}

function lookedAt(
  schema: JsonSchema,
  by: Looked = { names: new Set(), members: false, items: false },
): Looked {
  if (ofWholeValue.some((keyword) => Object.hasOwn(schema, keyword))) by.members = by.items = true
  forEachChildSchema(schema, (child, keyword) => {
    if (!isInPlace(keyword) || !isJsonObject(child)) return
    for (const name of Object.keys(child.properties ?? {})) by.names.add(name)
    const { additionalProperties, unevaluatedProperties, patternProperties } = child
    by.members ||= [additionalProperties, unevaluatedProperties, patternProperties].some(isJsonObject)
    by.items ||= ['items', 'prefixItems', 'contains', 'unevaluatedItems'].some((each) =>
      Object.hasOwn(child, each),
    )
    lookedAt(child, by)
  })
  return by
}

/** Keywords that ask for members, or apply schemas to them. */
const ofMembers: readonly string[] = [
  ...['required', 'dependentRequired', 'minProperties'],
  ...keywordNames(
    ({ about, place }) => place && about?.some((type) => type === 'object' || type === 'array'),
  ),
]

/** Whether nothing beside a keyword looks into the value, so that what the keyword leads to may be closed. */
function isAlone(keyword: 'anyOf' | '$ref', schema: JsonSchema): boolean {
  return !Object.keys(schema).some(
    (other) => other !== keyword && (sharesValue(other) || ofMembers.includes(other)),
  )
}

/** Returns the definitions whose every use allows closing. */
function closableDefinitions(
  input: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
  shared: readonly string[],
): ReadonlySet<string> {
  const open = new Set<string>(shared)
  const visit = (schema: Schema, mayClose: boolean): void => {
    if (!isJsonObject(schema)) return
    const name = definitionName(schema.$ref)
    if (name !== undefined && !(mayClose && isAlone('$ref', schema))) open.add(name)
    const isClosable = mayClose ? closableParts(schema) : () => false
    forEachChildSchema(schema, (child, keyword, key) => {
      if (keyword !== '$defs') visit(child, isClosable(keyword, key))
    })
  }
  visit(input, true)
  for (const schema of Object.values(definitions)) visit(schema, true)
  // What an open definition refers to stays open too: below `not`, closing any part would accept more. The set grows meanwhile.
  for (const name of open) {
    for (const inner of referredDefinitions(definitions[name] ?? true)) open.add(inner)
  }
  return new Set(Object.keys(definitions).filter((name) => !open.has(name)))
}
