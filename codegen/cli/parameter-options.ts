import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Given, OptionSpec, OptionSpecs } from './command.ts'

/**
 * Derives options from a Tool's parameters: strings and numbers are passed as text, booleans as a flag, everything else as
 * JSON. A parameter with the name of an option of the command itself can only be passed with `--json`.
 */
export function parameterOptions(schema: JsonSchema, taken: OptionSpecs): OptionSpecs {
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => !Object.hasOwn(taken, name) && /^[\w.-]+$/.test(name))
    .map(([name, parameter]) => [name, optionOf(resolved(parameter, schema))] as const)
  return Object.fromEntries(entries)
}

/** Returns the parameters that have no option. */
export function withoutOption(schema: JsonSchema, options: OptionSpecs): string[] {
  return Object.keys(schema.properties ?? {}).filter((name) => !Object.hasOwn(options, name))
}

/**
 * Reads the parameters from the options. The Tool's check validates them and reports all problems at once.
 *
 * @throws GeneratorError `invalid_usage` for values that have to be JSON and are not, and for integers that no number holds.
 */
export function parametersFrom(
  given: Given,
  schema: JsonSchema,
  options: OptionSpecs,
): Record<string, unknown> {
  const faults: { message: string; fix: string }[] = []
  const entries = Object.keys(options).flatMap((name): [string, unknown][] => {
    if (given.flags.has(name)) return [[name, true]]
    const text = given.values.get(name)
    if (text === undefined) return []
    const parameter = resolved(schema.properties?.[name] ?? true, schema)
    const value = valueIn(text, parameter)
    const kept = typeof value === 'number' ? keptOf(text, value) : undefined
    if (kept !== undefined) {
      faults.push({
        message: `--${name} is ${text.slice(0, 80)}, of which a number keeps ${kept}.`,
        fix: 'Pass one of at most 15 digits. Such ids are declared as strings.',
      })
      return []
    }
    if (value !== undefined) return [[name, value]]
    faults.push({
      message: `--${name} takes JSON, got ${text.slice(0, 80)}.`,
      fix: `Quote it: --${name} '${sample(parameter)}'.`,
    })
    return []
  })
  if (faults.length > 0) throw new GeneratorError('invalid_usage', faults)
  return Object.fromEntries(entries)
}

/** Converts the text of an option to a value; undefined if it has to be JSON and is not. */
function valueIn(text: string, parameter: Schema): unknown {
  const types = typesOf(parameter)
  const value = parsed(text)
  // The Tool's check reports a string in place of a number or boolean.
  if (value === undefined) return !types.has('string') && takesJson(types) ? undefined : text
  return types.has('string') && !meansValue(text, value, types) ? text : value
}

/** Returns what remains of an integer of more digits than a number holds; undefined if nothing is lost. */
function keptOf(text: string, value: number): string | undefined {
  const digits = text.trim()
  if (!/^-?\d+$/.test(digits)) return undefined
  if (!Number.isFinite(value)) return String(value)
  return BigInt(digits) === BigInt(value) ? undefined : String(BigInt(value))
}

function takesJson(types: ReadonlySet<string>): boolean {
  return types.has('object') || types.has('array')
}

/** Whether a text stands for the JSON value that it spells, where a string is allowed too. */
function meansValue(text: string, value: unknown, types: ReadonlySet<string>): boolean {
  if (types.size === 1) return false
  // `"5"` is how a string is passed that would be read as something else.
  if (typeof value === 'string') return true
  // A number of more digits than JavaScript keeps is an id.
  if (typeof value === 'number' && String(value) !== text) return false
  return types.has('any') || typeNames(value).some((name) => types.has(name))
}

function typeNames(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return typeof value === 'number' ? ['number', 'integer'] : [typeof value]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // Invalid JSON is an expected answer here.
  }
}

function optionOf(parameter: Schema): OptionSpec {
  const { description } = isJsonObject(parameter) ? (parameter as JsonSchema) : {}
  const types = typesOf(parameter)
  const help = typeof description === 'string' ? (description.split('\n')[0] ?? '') : ''
  if (types.size === 1 && types.has('boolean')) return { type: 'boolean', help, isParameter: true }
  const choices = onlyTexts(parameter)
  return {
    type: 'string',
    value: choices && choices.length <= 6 ? choices.join('|') : valueName(types),
    help,
    isParameter: true,
    ...(choices && { choices }),
  }
}

/** Returns the strings that a value has to be one of: an enum, or a union of constants. */
function onlyTexts(parameter: Schema): string[] | undefined {
  if (!isJsonObject(parameter)) return undefined
  const { const: fixed, enum: listed, anyOf, oneOf } = parameter as JsonSchema
  if (typeof fixed === 'string') return [fixed]
  if (Array.isArray(listed)) {
    const texts = listed.filter((value) => typeof value === 'string')
    return texts.length === listed.length && texts.length > 0 ? texts : undefined
  }
  const branches = ((anyOf ?? oneOf) as readonly Schema[] | undefined)?.map(onlyTexts) ?? []
  const all = branches.flatMap((texts) => texts ?? [])
  return all.length > 0 && branches.every((texts) => texts !== undefined) ? all : undefined
}

function valueName(types: ReadonlySet<string>): string {
  if (types.size !== 1) return 'VALUE'
  if (types.has('string')) return 'TEXT'
  return types.has('number') || types.has('integer') ? 'NUMBER' : 'JSON'
}

function sample(parameter: Schema): string {
  return typesOf(parameter).has('array') ? '["…"]' : '{"…": …}'
}

/** Returns the types that a value may have; `any` if the schema does not restrict them. */
function typesOf(schema: Schema): Set<string> {
  if (!isJsonObject(schema)) return new Set(['any'])
  const { type, const: fixed, enum: listed, anyOf, oneOf } = schema as JsonSchema
  if (type !== undefined) return new Set([type].flat() as string[])
  const values: unknown[] = Array.isArray(listed) ? listed : fixed === undefined ? [] : [fixed]
  if (values.length > 0)
    return new Set(
      values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)),
    )
  const branches = (anyOf ?? oneOf) as readonly Schema[] | undefined
  return branches ? new Set(branches.flatMap((branch) => [...typesOf(branch)])) : new Set(['any'])
}

function resolved(parameter: Schema, schema: JsonSchema): Schema {
  const name = isJsonObject(parameter) ? definitionName(parameter.$ref) : undefined
  const definition = name === undefined ? undefined : schema.$defs?.[name]
  return isJsonObject(definition) && isJsonObject(parameter)
    ? ({
        ...definition,
        ...(parameter.description !== undefined && { description: parameter.description }),
      } as Schema)
    : parameter
}
