import { type JsonObject, own } from '../../runtime/json/json.ts'
import { isWithoutKeyword } from '../../runtime/keywords/keywords.ts'
import { type FieldRule, isString } from '../../runtime/problems/field-rule.ts'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import { olderDelegateName } from '../../runtime/schema/older-delegate-name.ts'
import type { Effects, JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { toolOptions } from '../../runtime/schema/tool-options.ts'
import type { Finding } from '../model.ts'
import { checkImported, impossibleParameters } from './check-imported.ts'
import { closeParameters } from './close-parameters.ts'
import { effectsOfHints, hasHints } from './effects-of-hints.ts'
import { fittingExamples } from './fitting-examples.ts'
import { importFinding, inCopy, quoted } from './import-finding.ts'
import { SchemaNormaliser } from './normalise-schema.ts'
import type { SourceTool } from './read-source.ts'
import { serialisedSchema } from './serialised-schema.ts'

/** An imported tool with valid schemas: everything that its definition will contain. */
export interface ImportedTool {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly effects: Effects | undefined
  /** Where `effects` comes from. A Callsheet Tool has its own effects among its `options`. */
  readonly effectsFrom: 'hints' | 'default'
  /** Further options of a schema that was a Callsheet Tool already (TOOL-9). */
  readonly options: JsonObject
  /** The parameters, and the meta-fields of a Callsheet Tool; without `_tool` and `_output`. */
  readonly input: JsonSchema
  readonly output: Schema
  readonly definitions: Readonly<Record<string, Schema>>
}

/** `tool` is undefined if a finding is an error. */
export interface NormalisedTool {
  readonly tool: ImportedTool | undefined
  readonly findings: readonly Finding[]
}

/**
 * Checks one tool and converts its schemas to plain JSON Schema 2020-12.
 *
 * @param open Allows additional properties where the schema does not set `additionalProperties`.
 */
export function normaliseTool(source: SourceTool, open: boolean): NormalisedTool {
  const { name, native } = source
  const serialised = serialisedFindings(source)
  const left =
    serialised.length > 0
      ? serialised
      : [...unknownKeywordFindings(source), ...malformedOutputFindings(source)]
  if (left.length > 0) return { tool: undefined, findings: left }
  const normaliser = new SchemaNormaliser(name, native)
  const { options, schema } = native ? splitOptions(source.input) : { options: {}, schema: source.input }
  const whole = normaliser.normalise(schema)
  const { input, output: declaredOutput } = native ? splitOutput(whole) : { input: whole, output: undefined }
  const output = source.output ? normaliser.normalise(source.output) : (declaredOutput ?? true)
  const effects = native ? undefined : effectsOfHints(source.annotations)
  normaliser.noteDropped()
  const findings = [...normaliser.findings, ...shapeFindings(name, input)]
  findings.push(...(native ? optionFindings(name, options) : metaFieldFindings(name, input)))
  const definitions = normaliser.definitionsOf(input, output)
  const isWrong = (): boolean => findings.some(({ severity }) => severity === 'error')
  if (isWrong()) return { tool: undefined, findings }
  const { title: schemaTitle, description: schemaDescription, ...rest } = input
  const closed =
    open || native
      ? { input: rest, definitions }
      : closeParameters(rest, definitions, Object.keys(normaliser.definitionsOf(output)))
  findings.push(...checkImported(name, [closed.input, output], closed.definitions))
  if (!isWrong()) findings.push(...impossibleParameters(name, closed.input, closed.definitions))
  if (isWrong()) return { tool: undefined, findings }
  const fitting = fittingExamples(name, closed.input, closed.definitions)
  findings.push(...fitting.findings)
  const tool: ImportedTool = {
    name,
    title: source.title ?? schemaTitle,
    description: source.description ?? schemaDescription,
    effects,
    effectsFrom: hasHints(source.annotations) ? 'hints' : 'default',
    options,
    input: withUnderscoreProperties(fitting.input),
    output,
    definitions: closed.definitions,
  }
  return { tool, findings }
}

/** Refuses serialised validator objects: as JSON Schema they would be a tool without parameters. */
function serialisedFindings({ name, input, output }: SourceTool): Finding[] {
  return [input, output].flatMap((schema) => {
    const found = schema && serialisedSchema(schema)
    if (!found) return []
    const message = `The schema of ${quoted(name)} is a ${found.library} object after JSON.stringify, not JSON Schema.`
    return importFinding('import-schema', message, { tool: name, fix: found.fix })
  })
}

/** Refuses schemas with unknown keywords only: they would be a tool without parameters. */
function unknownKeywordFindings({ name, input, output }: SourceTool): Finding[] {
  return [input, output].flatMap((schema = {}) => {
    if (!isWithoutKeyword(schema)) return []
    const words = Object.keys(schema).map(quoted).join(', ')
    const message = `The schema of ${quoted(name)} has none of JSON Schema's keywords, only ${words}.`
    const fix = `Put the schema itself there: { "type": "object", "properties": … }. ${inCopy}`
    return importFinding('import-schema', message, { tool: name, fix })
  })
}

/** Refuses an output schema that is not one: the output would be anything. Null, as servers in Go write it, and true say so. */
function malformedOutputFindings({ name, malformedOutput = true }: SourceTool): Finding[] {
  if (malformedOutput === null || malformedOutput === true) return []
  const message = `The output schema of ${quoted(name)} is ${quoted(malformedOutput)}, not a schema.`
  return [importFinding('import-schema', message, { tool: name })]
}

const { examples, ...ownOptions } = toolOptions
/** The options that a Tool's schema carries (TOOL-9, TOOL-2, REF-5). Its examples are a keyword of JSON Schema as well. */
const optionRules: Readonly<Record<string, FieldRule>> = {
  ...ownOptions,
  parameters: [(value) => Array.isArray(value) && value.every(isString), 'a list of names'],
}

function splitOptions(schema: JsonObject): { options: JsonObject; schema: JsonObject } {
  const entries = Object.entries(schema)
  const isOption = ([key]: [string, unknown]): boolean => Object.hasOwn(optionRules, key)
  return {
    // Servers in Go and other languages send null for absent options.
    options: Object.fromEntries(entries.filter((entry) => isOption(entry) && entry[1] !== null)),
    schema: Object.fromEntries(entries.filter((entry) => !isOption(entry))),
  }
}

/** Refuses invalid options. Dropping one could let a Tool run where its author forbade it, or run twice in a race. */
function optionFindings(tool: string, options: JsonObject): Finding[] {
  return Object.entries(optionRules).flatMap(([option, [holds, expected]]) => {
    const value = own(options, option)
    if (value === undefined || holds(value)) return []
    const message = `The option ${quoted(option)} of ${quoted(tool)} is ${quoted(value)}, not ${expected}.`
    return importFinding('import-schema', message, { tool, pointer: `/${option}` })
  })
}

/** Separates the output and drops the name: `tool()` takes both as arguments of their own. */
function splitOutput(schema: JsonSchema): { input: JsonSchema; output: Schema | undefined } {
  const { _tool, _output: output, ...properties } = schema.properties ?? {}
  const required = (schema.required ?? []).filter((name) => name !== '_tool' && name !== '_output')
  return { input: { ...schema, properties, required }, output }
}

function shapeFindings(name: string, { type }: JsonSchema): Finding[] {
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return []
  const message = `The arguments of ${quoted(name)} are of the type ${quoted(type)}; a Tool takes an object.`
  return [importFinding('import-not-an-object', message, { tool: name, pointer: '/type' })]
}

function metaFieldFindings(tool: string, { properties = {}, required = [] }: JsonSchema): Finding[] {
  const names = new Set([...Object.keys(properties), ...required])
  return [...names].filter(isTaken).map((name) => {
    const message = `The parameter ${quoted(name)} of ${quoted(tool)} has the name of a meta-field, which means something else.`
    return importFinding('import-meta-field', message, { tool, pointer: `/properties/${name}` })
  })
}

function isTaken(name: string): boolean {
  return isMetaField(name) || name === olderDelegateName
}

/** Adds properties for underscore names that are only listed in `required`: only properties can be parameters. */
function withUnderscoreProperties(input: JsonSchema): JsonSchema {
  const { properties = {}, required = [], additionalProperties = true } = input
  const missing = required.filter(
    (name) => name.startsWith('_') && !isTaken(name) && !Object.hasOwn(properties, name),
  )
  if (missing.length === 0) return input
  const added = missing.map((name): [string, Schema] => [name, additionalProperties])
  return { ...input, properties: Object.fromEntries([...Object.entries(properties), ...added]) }
}

/** Returns the underscore properties that are parameters (TOOL-2). `__proto__` is not: it is refused elsewhere. */
export function underscoreParameters({ input, options }: ImportedTool): string[] {
  const declared = own(options, 'parameters')
  const listed = Array.isArray(declared) ? declared.filter((name) => typeof name === 'string') : []
  const found = Object.keys(input.properties ?? {}).filter(
    (name) => name.startsWith('_') && name !== '__proto__' && !isTaken(name),
  )
  return [...new Set([...listed, ...found])]
}
