import { interpretCheck } from '../check-tree/interpret.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { jsonOr } from '../json/json-or.ts'
import { isJsonText } from '../lower/json-text.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

/**
 * Converts a value to the form of a lowered schema: absent values to null, records to lists of entries, tuples to
 * objects, untyped values to JSON text. Values that do not fit are not changed, so that a script can play a bad model.
 */
export function fitAnswer(value: unknown, schema: JsonSchema): unknown {
  const fitted = fitValue(value, schema, schema)
  // An object at a root that is wrapped, since it may be null too.
  const isBare = isWrapper(schema) && isJsonObject(value) && !Object.hasOwn(value, 'value')
  if (!isBare) return fitted
  const wrapped = { value: fitValue(value, schema.properties?.value ?? true, schema) }
  return interpretCheck(schema)(wrapped) ? wrapped : fitted
}

function isWrapper({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).join() === 'value'
}

function fitValue(value: unknown, given: Schema, root: JsonSchema): unknown {
  if (typeof given === 'boolean') return value
  const schema = resolved(given, root)
  if (schema.anyOf) return fitBranch(value, schema.anyOf, root)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (isJsonObject(value)) {
    if (schema.properties) return fitObject(value, schema, root)
    if (types.includes('array')) return fitEntries(value, schema, root)
  }
  if (Array.isArray(value)) {
    if (schema.properties?.item1 !== undefined) return fitTuple(value, schema, root)
    const { items = true, prefixItems = [] } = schema
    return types.includes('array')
      ? value.map((item, place) => fitValue(item, prefixItems[place] ?? (items as Schema), root))
      : asText(value, schema)
  }
  if (isWrapper(schema)) return { value: fitValue(value, schema.properties?.value ?? true, root) }
  return asText(value, schema)
}

/**
 * Converts a value to JSON text only if the schema requires that: a number instead of a string is a mistake that a
 * script may play. A string that is no JSON is sent unchanged, since it is read as itself.
 */
function asText(value: unknown, schema: JsonSchema): unknown {
  const isRead = typeof value === 'string' && jsonOr(value, undefined) === undefined
  return isJsonText(schema) && value !== undefined && !isRead ? JSON.stringify(value) : value
}

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const target = schema.$ref === undefined ? undefined : root.$defs?.[definitionName(schema.$ref) ?? '']
  return isJsonObject(target) ? resolved(target, root) : schema
}

/** Returns the branch of the Tool that the value names, or the first one that the value fits. */
function fitBranch(value: unknown, branches: readonly Schema[], root: JsonSchema): unknown {
  const tag = isJsonObject(value) ? own(value, '_tool') : undefined
  const named = branches.find((branch) => {
    const { properties } = typeof branch === 'boolean' ? ({} as JsonSchema) : resolved(branch, root)
    const declared = properties?._tool
    return (
      tag !== undefined &&
      isJsonObject(declared) &&
      (declared.const ?? (declared.enum as unknown[])?.[0]) === tag
    )
  })
  if (named !== undefined) return fitValue(value, named, root)
  for (const branch of branches) {
    const fitted = fitValue(value, branch, root)
    const alone =
      typeof branch === 'boolean' ? branch : { ...branch, ...(root.$defs && { $defs: root.$defs }) }
    if (interpretCheck(alone)(fitted)) return fitted
  }
  return value
}

function fitObject(value: JsonObject, schema: JsonSchema, root: JsonSchema): JsonObject {
  const { properties = {}, required = [] } = schema
  const declared = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const given = own(value, name)
    if (given !== undefined) return [[name, fitValue(given, property, root)]]
    return required.includes(name) ? leftOut(name, property, root) : []
  })
  const others = Object.entries(value).filter(
    ([name, part]) => !Object.hasOwn(properties, name) && part !== undefined,
  )
  return Object.fromEntries([...declared, ...others])
}

/** Returns the value that a model must write for an absent one. */
function leftOut(name: string, property: Schema, root: JsonSchema): [string, unknown][] {
  const schema = typeof property === 'boolean' ? {} : resolved(property, root)
  if (Object.hasOwn(schema, 'const')) return [[name, schema.const]]
  if (name === '_reasoningForCall') return [[name, 'The script says so.']]
  if (schema.enum?.length === 1) return [[name, schema.enum[0]]]
  // If null has a meaning of its own.
  const marker = schema.anyOf?.map(markerIn).find((each) => each !== undefined)
  if (marker !== undefined) return [[name, { [marker]: true }]]
  const alone: JsonSchema = { ...schema, ...(root.$defs && { $defs: root.$defs }) }
  return interpretCheck(alone)(null) ? [[name, null]] : []
}

/** Returns the marker property for absent values: of the branch with only this property. */
function markerIn(branch: Schema): string | undefined {
  const names = typeof branch === 'boolean' ? [] : Object.keys(branch.properties ?? {})
  return names.length === 1 ? names.find((name) => /^_omitted_*$/.test(name)) : undefined
}

function fitEntries(value: JsonObject, schema: JsonSchema, root: JsonSchema): unknown {
  const entry = schema.items
  if (!isJsonObject(entry)) return value
  const { properties = {} } = resolved(entry, root)
  if (properties.key === undefined) return value
  return Object.entries(value).map(([key, part]) => ({
    key,
    value: fitValue(part, properties.value ?? true, root),
  }))
}

function fitTuple(value: readonly unknown[], schema: JsonSchema, root: JsonSchema): JsonObject {
  const { properties = {} } = schema
  const names = Object.keys(properties).filter((name) => /^item\d+$/.test(name))
  const items = value.slice(0, names.length).map((item, index) => [names[index] as string, item] as const)
  const rest = properties.rest === undefined ? {} : { rest: value.slice(names.length) }
  return fitObject({ ...Object.fromEntries(items), ...rest }, schema, root)
}
