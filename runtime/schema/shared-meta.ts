import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema, Schema } from './schema.ts'

/** Meta-fields that can be declared once for many Tools. */
export const sharedMetaFields = ['_outputPath', '_instance', '_scopes', '_delegate'] as const

export type SharedMetaField = (typeof sharedMetaFields)[number]

/**
 * The declaration of a shared meta-field: `true` lets Calls set it, a string (for `_scopes` an array of strings) fixes its value,
 * and a schema restricts the values that a Call may set.
 */
export type SharedMetaValue = true | string | readonly string[] | object

export type SharedMetaValues = { readonly [Field in SharedMetaField]?: SharedMetaValue }

/** Shared meta-fields for the Tools whose names match `tools`: `mail.*`, or a list of such patterns; for all Tools if absent. */
export interface SharedMetaRule extends SharedMetaValues {
  readonly tools?: string | readonly string[]
}

/** Meta-fields that many Tools share (TOOL-10). If several rules apply to a Tool, the last one wins. */
export type SharedMeta = SharedMetaValues | readonly SharedMetaRule[]

/** Returns the schemas of the shared meta-fields of the Tool with this name. */
export function sharedMetaOf(name: string, meta: SharedMeta): Partial<Record<SharedMetaField, Schema>> {
  const rules: readonly SharedMetaRule[] = isList(meta) ? meta : [meta]
  const found: Partial<Record<SharedMetaField, Schema>> = {}
  for (const { tools, ...values } of rules) {
    if (tools !== undefined && ![tools].flat().some((pattern) => matches(name, pattern))) continue
    for (const field of sharedMetaFields) {
      const value = values[field]
      if (value !== undefined) found[field] = schemaOf(field, value)
    }
  }
  return found
}

/** Adds the shared meta-fields to a Tool's properties, as optional ones; the Tool's own declarations take precedence. */
export function withSharedMeta<Properties extends Record<string, unknown>>(
  name: string,
  properties: Properties,
  meta: SharedMeta,
): Properties {
  return { ...properties, ...sharedMetaOf(name, meta), ...properties }
}

/**
 * Validates shared meta-fields: refuses fields that cannot be shared, which would silently be ignored, and values that would
 * allow anything.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireSharedMeta(meta: SharedMeta): void {
  const known = ['tools', ...sharedMetaFields]
  for (const rule of isList(meta) ? meta : [meta]) {
    const wrong = isJsonObject(rule) ? Object.keys(rule).find((field) => !known.includes(field)) : ''
    if (wrong === undefined) {
      requireValues(rule)
      continue
    }
    throw new CallsheetError(
      'invalid_options',
      `\`meta\` takes ${sharedMetaFields.join(', ')} and \`tools\`, alone or in a list of rules: got ${briefly(wrong === '' ? rule : wrong)}.`,
      { suggestions: nearest(wrong, known) },
    )
  }
}

function requireValues({ tools = [], ...values }: SharedMetaRule): void {
  const isPatterns = [tools].flat().every((pattern: unknown) => typeof pattern === 'string')
  if (!isPatterns) throw wrongValue('tools', 'a pattern such as "mail.*", or a list of them', tools)
  for (const [field, value] of Object.entries(values)) {
    const isSaid = value === undefined || value === true || typeof value === 'string'
    const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
    if (isSaid || isJsonObject(value) || (isTexts && field === '_scopes')) continue
    const texts = field === '_scopes' ? 'a text or a list of texts' : 'a text'
    throw wrongValue(field, `true, ${texts}, or a schema`, value)
  }
}

function wrongValue(field: string, expected: string, value: unknown): CallsheetError {
  return new CallsheetError(
    'invalid_options',
    `\`meta.${field}\` is ${briefly(value)}; expected ${expected}.`,
  )
}

function isList(meta: SharedMeta): meta is readonly SharedMetaRule[] {
  return Array.isArray(meta)
}

/** Converts a name pattern to a regular expression; `*` matches anything, including dots. */
function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

function schemaOf(field: SharedMetaField, value: SharedMetaValue): Schema {
  const isScopes = field === '_scopes'
  if (value === true) return isScopes ? { type: 'array', items: { type: 'string' } } : { type: 'string' }
  if (typeof value === 'string') return isScopes ? fixedList([value]) : { type: 'string', const: value }
  if (isTexts(value)) return fixedList(value)
  return value as JsonSchema // what is wrong with a schema, the checks of the Tool report
}

function isTexts(value: object): value is readonly string[] {
  return Array.isArray(value)
}

/** Builds the schema of a list with only one legal value, in the form that {@link fixedValue} reads. */
function fixedList(values: readonly string[]): JsonSchema {
  return {
    type: 'array',
    prefixItems: values.map((value) => ({ type: 'string', const: value })),
    items: false,
    minItems: values.length,
  }
}
