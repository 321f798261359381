import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { isInPlace } from '../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { forEachChildSchema, mapChildSchemas } from '../../runtime/schema/schema-children.ts'

/**
 * Closes the objects of parameters that leave it open whether more properties may come, at any depth: a caller that
 * sends less than a server accepts is always right (GEN-10). An object stays open where closing it would refuse what it
 * describes: where other schemas look at the same value, or where nothing is said about its properties.
 *
 * @param shared Names of definitions that outputs use too: those stay as they came.
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
  return says ? { ...inner, additionalProperties: false } : inner
}

/** True for a schema that says nothing about properties beyond those that it lists. */
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

/** True for a keyword by which another schema looks at the same value. */
function sharesValue(keyword: string): boolean {
  return keyword === '$ref' || isInPlace(keyword)
}

/**
 * Tells of each schema inside another whether nothing else looks at the same value, so that it may be closed on its own: no
 * keyword beside it, and no schema for the whole, as `then` does that asks for more of a nested object.
 */
function closableParts(schema: JsonSchema): (keyword: string, key: string | undefined) => boolean {
  const { names, members, items } = lookedAt(schema)
  const alone: Readonly<Record<string, (key: string) => boolean>> = {
    anyOf: () => isUnion(schema),
    properties: (key) => !members && !names.has(key) && schema.patternProperties === undefined,
    patternProperties: () => !members && names.size === 0 && schema.properties === undefined,
    additionalProperties: () => !members && names.size === 0,
    items: () => !items && schema.contains === undefined,
    prefixItems: () => !items && schema.contains === undefined,
  }
  return (keyword, key = '') => alone[keyword]?.(key) ?? false
}

/** What the schemas in place of a schema look at: properties by name, any properties, items. */
interface Looked {
  readonly names: Set<string>
  members: boolean
  items: boolean
}

function lookedAt(
  schema: JsonSchema,
  by: Looked = { names: new Set(), members: false, items: false },
): Looked {
  if (schema.$ref !== undefined) by.members = by.items = true
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

/** True where `anyOf` alone describes the value, so that each branch may be closed on its own. */
function isUnion(schema: JsonSchema): boolean {
  const others = Object.keys(schema).filter((keyword) => keyword !== 'anyOf' && sharesValue(keyword))
  return others.length === 0 && schema.properties === undefined && schema.required === undefined
}

/** Definitions of which every use is one where an object may be closed. */
function closableDefinitions(
  input: JsonSchema,
  definitions: Readonly<Record<string, Schema>>,
  shared: readonly string[],
): ReadonlySet<string> {
  const open = new Set<string>(shared)
  const visit = (schema: Schema, mayClose: boolean): void => {
    if (!isJsonObject(schema)) return
    const shares = Object.keys(schema).some(isInPlace)
    const name = definitionName(schema.$ref)
    if (name !== undefined && (!mayClose || shares || schema.properties !== undefined)) open.add(name)
    const isClosable = mayClose ? closableParts(schema) : () => false
    forEachChildSchema(schema, (child, keyword, key) => {
      if (keyword !== '$defs') visit(child, isClosable(keyword, key))
    })
  }
  visit(input, true)
  // What an open definition refers to in its own place stays open as well.
  for (const schema of Object.values(definitions)) visit(schema, true)
  for (let size = -1; size !== open.size; ) {
    size = open.size
    for (const name of open) openInPlace(definitions[name], open)
  }
  return new Set(Object.keys(definitions).filter((name) => !open.has(name)))
}

function openInPlace(schema: Schema | undefined, open: Set<string>): void {
  if (!isJsonObject(schema)) return
  const name = definitionName(schema.$ref)
  if (name !== undefined) open.add(name)
  forEachChildSchema(schema, (child, keyword) => {
    if (isInPlace(keyword)) openInPlace(child, open)
  })
}
