import { isInPlace, keywordOf } from '../keywords/keywords.ts'
import { fixedValue } from './fixed-value.ts'
import { isFreeField, isMetaField, metaFieldNames } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'
import { withoutOptions } from './without-options.ts'

/** The schema of a Call as it is checked before it runs, and how the value must be prepared for it. */
export interface CallSchema {
  readonly schema: JsonSchema
  /** True when the meta-fields that every Call may carry must be left out of the checked value: `withoutFreeFields`. */
  readonly strip: boolean
  /**
   * The same in two halves, where such keywords would look at meta-fields that the Tool declares as well: what the parameters
   * must satisfy without any meta-field beside them, and what the meta-fields must (`fieldsApart`).
   */
  readonly apart?: { readonly parameters: JsonSchema; readonly fields: JsonSchema }
}

/**
 * Derives what a Call's parameters and declared meta-fields must satisfy (CALL-1a). The meta-fields that every Call may
 * carry always pass here, since rules of their own check them; another that the Tool does not declare never passes,
 * whatever `additionalProperties` says.
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

/** A property that speaks of the Call, and is none of its parameters. */
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

/** The schema of what an SDK calls the arguments: the parameters alone, without any meta-field. */
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

/** A meta-field with one legal value says nothing new: a Call may leave it out (SCOPE-2). */
function isFixed(name: string, properties: Record<string, Schema>): boolean {
  return isMetaField(name) && fixedValue(properties[name]) !== undefined
}

/** Keywords that speak of an object's properties by their names; `additionalProperties` of those that are not named. */
const ofNamedProperties = ['properties', 'required', 'additionalProperties']

/** True for a keyword that looks at the object as a whole, for which the fields that every Call may carry must be taken out. */
function isOfWholeObject(name: string): boolean {
  if (name === '$ref' || isInPlace(name)) return true
  return keywordOf(name)?.about?.[0] === 'object' && !ofNamedProperties.includes(name)
}
