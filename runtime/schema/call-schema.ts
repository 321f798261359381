import { isInPlace, keywordOf } from '../keywords/keywords.ts'
import { fixedValue } from './fixed-value.ts'
import { isFreeField, isMetaField, metaFieldNames } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'
import { withoutOptions } from './without-options.ts'

/** The schema that a Call is validated against before it runs, and how to prepare the value for it. */
export interface CallSchema {
  readonly schema: JsonSchema
  /** True if the meta-fields that every Call may carry must be removed before validation: `withoutFreeFields`. */
  readonly strip: boolean
  /**
   * The schema split in two, if keywords about the object as a whole would also count meta-fields that the Tool declares: one
   * schema for the parameters without any meta-field, one for the meta-fields (`fieldsApart`).
   */
  readonly apart?: { readonly parameters: JsonSchema; readonly fields: JsonSchema }
}

/**
 * Derives the schema of a Call's parameters and declared meta-fields (CALL-1a). The meta-fields that every Call may carry
 * always pass here, since other rules check them. Any other meta-field that the Tool does not declare is refused, whatever
 * `additionalProperties` says.
 */
export function callSchema(tool: ToolSchema): CallSchema {
  const { properties = {}, required = [], ...rest } = withoutOptions(tool)
  const strip = Object.keys(tool).some(isOfWholeObject)
  const checked: Record<string, Schema> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!isFreeField(name)) checked[name] = schema
  }
  for (const name of [...metaFieldNames, olderDelegateName]) {
    if (isFreeField(name)) {
      if (!strip) checked[name] = true
    } else if (!Object.hasOwn(properties, name)) checked[name] = false
  }
  const needed = required.filter((name) => !isFreeField(name) && !isFixed(name, properties))
  const whole: JsonSchema = { ...rest, type: 'object', properties: checked, required: needed }
  const declaresFields = Object.keys(properties).some((name) => isOfCall(name) && !isFreeField(name))
  if (!strip || !declaresFields) return { strip, schema: whole }
  return { strip, schema: whole, apart: inHalves(whole) }
}

/** True for a property that is a meta-field rather than a parameter. */
function isOfCall(name: string): boolean {
  return isMetaField(name) || name === olderDelegateName
}

function inHalves(whole: JsonSchema): NonNullable<CallSchema['apart']> {
  const { properties = {}, required = [], $defs } = whole
  const isParameter = (name: string): boolean => !isOfCall(name)
  const half = (isOfIt: (name: string) => boolean): Pick<JsonSchema, 'type' | 'properties' | 'required'> => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOfIt(name))),
    required: required.filter(isOfIt),
  })
  return {
    parameters: { ...whole, ...half(isParameter) },
    fields: { ...half(isOfCall), ...($defs && { $defs }) },
  }
}

/** Returns the schema of what SDKs call the arguments: the parameters, without meta-fields. */
export function parametersSchema(tool: ToolSchema): JsonSchema {
  const { parameters = [] } = tool
  const { properties = {}, required = [], ...rest } = withoutOptions(tool)
  const isParameter = (name: string): boolean => !name.startsWith('_') || parameters.includes(name)
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isParameter(name))),
    required: required.filter(isParameter),
  }
}

/** Returns the schema of what a client of a server passes: the parameters, and the meta-fields without which a Call is invalid. */
export function requestParametersSchema(tool: ToolSchema): JsonSchema {
  const parameters = parametersSchema(tool)
  const { properties = {}, required = [] } = tool
  const needed = required.filter(
    (name) =>
      isOfCall(name) && !isFreeField(name) && Object.hasOwn(properties, name) && !isFixed(name, properties),
  )
  if (needed.length === 0) return parameters
  const fields = Object.fromEntries(needed.map((name) => [name, properties[name] as Schema]))
  return {
    ...parameters,
    properties: { ...parameters.properties, ...fields },
    required: [...(parameters.required ?? []), ...needed],
  }
}

/** A meta-field with only one legal value may be left out of a Call (SCOPE-2). */
function isFixed(name: string, properties: Record<string, Schema>): boolean {
  return isMetaField(name) && fixedValue(properties[name]) !== undefined
}

/** Keywords that apply to properties by name, and `additionalProperties`, which applies to the others. */
const ofNamedProperties = ['properties', 'required', 'additionalProperties']

/** True for a keyword about the object as a whole; it must not see the meta-fields that every Call may carry. */
function isOfWholeObject(name: string): boolean {
  if (name === '$ref' || isInPlace(name)) return true
  return keywordOf(name)?.about?.[0] === 'object' && !ofNamedProperties.includes(name)
}
