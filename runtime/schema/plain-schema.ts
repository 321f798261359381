import { CallsheetError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { maximumValueDepth, tooDeep } from '../json/json-copy.ts'
import { isJson } from '../json/not-json.ts'
import { briefly, ended, listSome } from '../problems/problem.ts'
import { withActivitySchema } from './fixed-value.ts'
import { jsonOfSchema } from './json-of-schema.ts'
import { followReferences, mergeRoot } from './merge-root.ts'
import { modernise } from './modernise.ts'
import { refuseOtherForms } from './other-forms.ts'
import { ReferenceRewriter } from './rewrite-references.ts'
import type { JsonSchema, Schema, ToolSchema } from './schema.ts'
import { isSchema, mapChildSchemas } from './schema-children.ts'
import { schemaError } from './schema-error.ts'
import type { ReportProblem, SchemaProblem } from './schema-problem.ts'
import type { TargetOf } from './target-of.ts'
import { isReadInPlace, toolRoot } from './tool-root.ts'
import { withoutOptions } from './without-options.ts'

/**
 * Converts a Tool's schema to plain JSON Schema for registration (TOOL-1): without TypeBox's hidden marks, draft-07 rewritten
 * as 2020-12, references as `#/$defs/Name`, the root one object, `_module` renamed to `_delegate`, and `_tool` declared and
 * required. The generator reads definitions by the same steps.
 *
 * @param isShared Returns true for a definition that the schema may refer to without having it.
 * @throws CallsheetError `unsupported_schema` if the schema is not an object schema, names another Tool, is not JSON, or refers
 * to what is not in it.
 */
export function plainToolSchema(
  name: string,
  schema: object,
  isShared?: (definition: string) => boolean,
): ToolSchema {
  const { plain, hasReferences } = asJson(name, schema)
  if (!isJsonObject(plain)) throw unsupported(name, 'its schema is not an object.')
  refuseOtherForms(name, schema)
  requireParts(name, plain)
  const problems: SchemaProblem[] = []
  const report: ReportProblem = (problem) => problems.push(problem)
  const tool = hasReferences
    ? withReferences(name, plain, report, isShared)
    : rootOf(name, plain, noTarget, report)
  if (problems.length > 0) throw schemaError(`Tool "${name}" cannot be registered`, problems)
  return tool
}

function rootOf(name: string, plain: JsonSchema, targetOf: TargetOf, report: ReportProblem): ToolSchema {
  const root = mergeRoot(plain, targetOf, report)
  return toolRoot(name, { ...root, properties: withActivitySchema(root.properties ?? {}) }, report)
}

function noTarget(): undefined {
  return undefined
}

function withReferences(
  name: string,
  plain: JsonSchema,
  report: ReportProblem,
  isShared?: (definition: string) => boolean,
): ToolSchema {
  const rewriter = new ReferenceRewriter(plain, report, isShared)
  const { properties = {}, ...rest } = rootOf(name, plain, rewriter.targetOf, report)
  const written = Object.entries(properties).map(([key, schema]): [string, Schema] => [
    key,
    isJsonObject(schema)
      ? rewriter.whole(isReadInPlace(key) ? followReferences(schema, rewriter.targetOf) : schema)
      : schema,
  ])
  const tool: ToolSchema = { ...rewriter.whole(rest), properties: Object.fromEntries(written) }
  const definitions = rewriter.definitions(withoutOptions(tool))
  return Object.keys(definitions).length > 0 ? { ...tool, $defs: definitions } : tool
}

/** Refuses malformed keywords at the root, such as a `required` that is not an array. Compiling the check finds deeper ones. */
function requireParts(
  name: string,
  { properties = {}, required = [], allOf = [], anyOf = [], $ref = '' }: JsonObject,
): void {
  const wrong: string[] = []
  const require = (isRight: boolean, part: string, value: unknown, expected: string): void => {
    if (!isRight) wrong.push(`\`${part}\` is ${briefly(value)}; expected ${expected}`)
  }
  require(isJsonObject(properties), 'properties', properties, 'schemas by name')
  for (const [property, value] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const isText = property === '_activity' && typeof value === 'string'
    require(isText || isSchema(value), `properties.${property.slice(0, 100)}`, value, 'a schema')
  }
  const isNames = Array.isArray(required) && required.every((key) => typeof key === 'string')
  require(isNames, 'required', required, 'a list of names')
  for (const [keyword, parts] of Object.entries({ allOf, anyOf })) {
    require(Array.isArray(parts) && parts.every(isSchema), keyword, parts, 'a list of schemas')
  }
  require(typeof $ref === 'string', '$ref', $ref, 'a text')
  if (wrong.length > 0) throw unsupported(name, `its ${listSome(wrong, 5, ', its ')}.`)
}

function asJson(name: string, schema: object): { plain: Schema; hasReferences: boolean } {
  try {
    const text = JSON.stringify(schema, jsonOfSchema) ?? 'null'
    const parsed = JSON.parse(text)
    // What JSON.stringify wrote can only be too deep.
    if (!isJson(parsed)) throw tooDeep(maximumValueDepth)
    return { plain: modern(parsed), hasReferences: text.includes('"$ref"') }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw unsupported(name, `its schema is not JSON: ${ended(why)}`, cause)
  }
}

const wording = ['title', 'description']

/**
 * Rewrites draft-07 and what TypeBox produces as 2020-12, and drops TypeBox's own `~` marks, and titles and descriptions that
 * are not texts, such as a database's null: a provider would refuse the whole request. Visits subschemas only: data under
 * `const` or `default` may look the same and is not changed.
 */
export function modern(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const copy = modernise(mapChildSchemas(schema, modern))
  for (const [keyword, value] of Object.entries(copy)) {
    const isNoText = typeof value !== 'string' && wording.includes(keyword)
    if (isNoText || keyword.startsWith('~')) delete copy[keyword]
  }
  return copy
}

function unsupported(name: string, why: string, cause?: unknown): CallsheetError {
  return new CallsheetError('unsupported_schema', `Tool "${name}" cannot be registered: ${why}`, { cause })
}
