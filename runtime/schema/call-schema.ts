import { isInPlace, keywordOf } from '../keywords/keywords.ts'
import { fixedValue } from './fixed-value.ts'
import { isMetaField, metaFieldNames } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'

/** The schema of a Call as it is checked before it runs, and how the value must be prepared for it. */
export interface CallSchema {
  readonly schema: JsonSchema
  /** True when `_tool`, `_reasoningForCall`, `_activity` and `_output` must be left out of the checked value. */
  readonly strip: boolean
}

/**
 * Derives what a Call's parameters and declared meta-fields must satisfy (CALL-1a). `_tool`, `_reasoningForCall`,
 * `_activity` and `_output` always pass here, since rules of their own check them; a meta-field that the Tool does not
 * declare never passes, whatever `additionalProperties` says.
 */
export function callSchema(tool: ToolSchema): CallSchema {
  const { properties = {}, required = [], effects, enabled, parser, parameters, examples, ...rest } = tool
  const strip = Object.keys(tool).some(isOfWholeObject)
  const checked: Record<string, Schema> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!isAlwaysAllowed(name)) checked[name] = schema
  }
  for (const name of [...metaFieldNames, olderDelegateName]) {
    if (isAlwaysAllowed(name)) {
      if (!strip) checked[name] = true
    } else if (!Object.hasOwn(properties, name)) checked[name] = false
  }
  return {
    strip,
    schema: {
      ...rest,
      type: 'object',
      properties: checked,
      required: required.filter((name) => !isAlwaysAllowed(name) && !isFixed(name, properties)),
    },
  }
}

/** The schema of what an SDK calls the arguments: the parameters alone, without any meta-field. */
export function parametersSchema(tool: ToolSchema): JsonSchema {
  const {
    properties = {},
    required = [],
    effects,
    enabled,
    parser,
    parameters = [],
    examples,
    ...rest
  } = tool
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

function isAlwaysAllowed(name: string): boolean {
  return name === '_tool' || name === '_reasoningForCall' || name === '_activity' || name === '_output'
}

/** Keywords that speak of an object's properties by their names; `additionalProperties` of those that are not named. */
const ofNamedProperties = ['properties', 'required', 'additionalProperties']

/** True for a keyword that looks at the object as a whole, for which the always-allowed meta-fields must be taken out. */
function isOfWholeObject(name: string): boolean {
  if (name === '$ref' || isInPlace(name)) return true
  return keywordOf(name)?.about?.[0] === 'object' && !ofNamedProperties.includes(name)
}
