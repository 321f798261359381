import { CallsheetError, type Problem } from '../errors.ts'
import { pointerNames } from '../json/pointer-names.ts'
import { briefly } from '../problems/problem.ts'
import { parametersSchema } from './call-schema.ts'
import { toDraft07 } from './draft-07.ts'
import { isMetaField } from './meta-fields.ts'
import { withNeededDefinitions } from './needed-definitions.ts'
import type { JsonSchema, ToolSchema } from './schema.ts'
import type { Checks } from './validator.ts'

/** A validation issue of Standard Schema. */
export interface StandardIssue {
  readonly message: string
  /** Property names and array indexes from the root. */
  readonly path?: readonly PropertyKey[]
}

/** A validation result of Standard Schema. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** The JSON Schema draft that an SDK requests. */
export interface StandardJsonSchemaOptions {
  /** `draft-2020-12` or `draft-07`; others are refused. */
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string)
  readonly libraryOptions?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The interface of Standard Schema 1 and Standard JSON Schema 1 (https://standardschema.dev) for the arguments of a Tool: its
 * parameters, without meta-fields.
 */
export interface StandardTool<Arguments> {
  readonly version: 1
  readonly vendor: 'callsheet'
  validate(value: unknown): StandardResult<Arguments> | Promise<StandardResult<Arguments>>
  readonly jsonSchema: {
    input(options: StandardJsonSchemaOptions): Record<string, unknown>
    output(options: StandardJsonSchemaOptions): Record<string, unknown>
  }
  readonly types?: { readonly input: Arguments; readonly output: Arguments } | undefined
}

/** A Tool's schema that other SDKs accept unchanged (GEN-9). */
export interface ToolObject<Arguments = unknown> extends ToolSchema {
  readonly '~standard': StandardTool<Arguments>
}

/** Adds Standard Schema to a schema, as a non-enumerable property: JSON and comparisons see only the schema. */
export function asToolObject<Arguments>(
  schema: ToolSchema,
  checks: Checks | (() => Promise<Checks>),
): ToolObject<Arguments> {
  const standard: StandardTool<Arguments> = {
    version: 1,
    vendor: 'callsheet',
    validate: (value) =>
      typeof checks === 'function'
        ? checks().then((loaded) => validate<Arguments>(loaded, schema, value))
        : validate<Arguments>(checks, schema, value),
    jsonSchema: {
      input: ({ target }) => argumentsSchema(schema, target),
      output: ({ target }) => argumentsSchema(schema, target),
    },
  }
  const object = Object.defineProperty({ ...schema }, '~standard', { value: standard })
  return Object.freeze(object) as ToolObject<Arguments>
}

/** Parses a Tool's schema and adds Standard Schema to it, for generated modules of one Tool (GEN-11). */
export function parsedToolObject<Arguments>(text: string, checks: Checks): ToolObject<Arguments> {
  return asToolObject(JSON.parse(text) as ToolSchema, checks)
}

/** Returns the schema of the parameters in the requested draft. An unknown draft is an error, since constraints could get lost. */
function argumentsSchema(schema: ToolSchema, target: string): JsonSchema {
  const parameters = withNeededDefinitions(parametersSchema(schema))
  if (target === 'draft-2020-12') {
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...parameters }
  }
  if (target === 'draft-07') {
    return { $schema: 'http://json-schema.org/draft-07/schema#', ...toDraft07(parameters) }
  }
  throw new CallsheetError(
    'unsupported_schema',
    `A Tool gives its JSON Schema as draft-2020-12 or draft-07, not as ${briefly(target)}.`,
  )
}

/**
 * Validates arguments with the check of Calls. Problems of meta-fields are left out: an SDK that knows only the parameters cannot
 * supply a meta-field that the Tool requires.
 */
function validate<Arguments>(
  checks: Checks,
  { parameters = [] }: ToolSchema,
  value: unknown,
): StandardResult<Arguments> {
  // Validation justifies the casts.
  if (checks.call(value)) return { value: value as Arguments }
  const problems: Problem[] = []
  checks.call(value, '', problems)
  const issues = problems
    .map(({ message, path }) => ({ message, path: pointerNames(path) }))
    .filter(({ path: [first = ''] }) => !isMetaField(first) || parameters.includes(first))
  return issues.length === 0 ? { value: value as Arguments } : { issues }
}
