import { llamaCpp } from '../../runtime/dialects/llama-cpp.ts'
import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { integers } from './gbnf-integers.ts'

/** A random model would write until it is stopped: what a schema leaves open is bounded in the grammar. */
const [longestText, longestList, mostFreeKeys] = [16, 3, 2]

/** Texts by format: a part of what the format allows, enough to be told from what it does not. */
const day = '"20" [0-9]{2} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | "1" [0-9] | "2" [0-8])'
const clock = '("0" [0-9] | "1" [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z"'
const formats: Readonly<Record<string, string>> = {
  date: day,
  time: clock,
  'date-time': `${day} "T" ${clock}`,
  uuid: '[0-9a-f]{8} "-" [0-9a-f]{4} "-4" [0-9a-f]{3} "-8" [0-9a-f]{3} "-" [0-9a-f]{12}',
}

/**
 * Rules that every grammar has. Printable ASCII, since a model of single bytes would break longer characters apart, and
 * no `<`: llama.cpp takes the control token `<s>` for these three characters, and then leaves it out of the text.
 */
const shared: readonly string[] = [
  String.raw`char ::= [ !#-;=-[^-~\]] | "\\" ["\\/bfnrt]`,
  'text ::= "\\"" (char{0,16} | reference) "\\""',
  'value ::= text | "0" | "-1.5" | "true" | "false" | "null" | "[]" | "{}"',
]

/**
 * The grammar of compact JSON under a schema that was lowered for llama.cpp, properties in their order. llama.cpp holds
 * its sampling to it, so everything it writes is valid under the schema.
 *
 * @throws Error for a keyword that lowering never leaves in: the grammar would say less than the schema.
 */
export function toGbnf(root: JsonSchema): string {
  const rules: string[] = []
  const named = new Map<string, string>()

  const rule = (body: string): string => {
    const name = `r${rules.length}`
    rules.push(`${name} ::= ${body}`)
    return name
  }

  const visit = (schema: Schema): string => {
    if (schema === true) return 'value'
    if (schema === false) throw new Error('nothing is valid under false')
    if (schema.$ref !== undefined) return definition(schema.$ref)
    if (schema.const !== undefined) return json(schema.const)
    if (schema.enum) return rule(schema.enum.map(json).join(' | '))
    const branches = schema.anyOf ?? schema.oneOf
    if (branches) return rule(branches.map(visit).join(' | '))
    if (Array.isArray(schema.type))
      return rule(schema.type.map((type) => visit({ ...schema, type })).join(' | '))
    return ofType(schema)
  }

  const definition = (ref: string): string => {
    const known = named.get(ref)
    if (known !== undefined) return known
    const target = root.$defs?.[definitionName(ref) ?? '']
    if (target === undefined) throw new Error(`${ref} leads nowhere`)
    const name = `def${named.size}`
    named.set(ref, name)
    rules.push(`${name} ::= ${visit(target)}`)
    return name
  }

  const ofType = (schema: JsonSchema): string => {
    switch (schema.type) {
      case undefined:
        return 'value'
      case 'null':
        return '"null"'
      case 'boolean':
        return rule('"true" | "false"')
      case 'integer':
        return rule(integers(lowest(schema), highest(schema)))
      case 'number':
        return rule('"-"? ("0" | [1-9] [0-9]{0,5}) ("." [0-9]{1,3})?')
      case 'string':
        return isFreeText(schema) ? 'text' : rule(`"\\"" ${characters(schema)} "\\""`)
      case 'array':
        return rule(list(schema))
      case 'object':
        return rule(object(schema))
      default:
        throw new Error(`no such type: ${schema.type}`)
    }
  }

  const list = ({ items = true, minItems = 0, maxItems, prefixItems }: JsonSchema): string => {
    if (prefixItems) throw new Error('tuples go as objects')
    const [least, most] = [Number(minItems), Number(maxItems ?? Math.max(Number(minItems), longestList))]
    if (most === 0) return '"[]"'
    const item = visit(items as Schema)
    const some = `"[" ${item} ("," ${item}){${Math.max(0, least - 1)},${Math.min(most, least + longestList) - 1}} "]"`
    return least === 0 ? `"[]" | ${some}` : some
  }

  const object = ({ properties = {}, required = [], additionalProperties = true }: JsonSchema): string => {
    const members = Object.entries(properties).map(([name, member]) => ({
      isRequired: required.includes(name),
      text: `${quoted(`${JSON.stringify(name)}:`)} ${visit(member)}`,
    }))
    // Named so that no declared property is meant.
    const free =
      additionalProperties === false
        ? undefined
        : `"\\"key-" [a-z]{1,6} "\\":" ${visit(additionalProperties)}`
    const following = (from: number): string =>
      [
        ...members.slice(from).map(({ isRequired, text }) => (isRequired ? `"," ${text}` : `("," ${text})?`)),
        ...(free === undefined ? [] : [`("," ${free}){0,${mostFreeKeys}}`]),
      ].join(' ')
    // The first member that is there has no comma before it: an alternative for each that can be the first.
    const firstRequired = members.findIndex(({ isRequired }) => isRequired)
    const starts = members.slice(0, firstRequired === -1 ? members.length : firstRequired + 1)
    const alternatives = starts.map(({ text }, index) => `"{" ${text} ${following(index + 1)} "}"`)
    if (firstRequired === -1) {
      alternatives.unshift('"{}"')
      if (free !== undefined) alternatives.push(`"{" ${free} ("," ${free})? "}"`)
    }
    return alternatives.join(' | ')
  }

  const top = visit(root)
  return [`root ::= ${top}`, ...rules, ...shared, `reference ::= ${reference(root)}`].join('\n')
}

/** Noise would never hit a path: of References, those to what the schema's Calls write, to parts of it, and to nothing. */
function reference(root: JsonSchema): string {
  const path = ['†state.never', ...fixedPaths(root)].map(quoted).join(' | ')
  return `(${path}) ("." [a-y01]{1,2}){0,2} (" || " (${path}))?`
}

/** The output paths that a schema fixes, wherever its Calls stand. */
function fixedPaths(schema: unknown): string[] {
  if (Array.isArray(schema)) return [...new Set(schema.flatMap(fixedPaths))]
  if (!isJsonObject(schema)) return []
  const { _outputPath: path, ...others } = schema
  const fixed = isJsonObject(path) && typeof path.const === 'string' ? [path.const] : []
  return [...new Set([...fixed, ...fixedPaths(Object.values(others))])]
}

function characters(schema: JsonSchema): string {
  const { pattern, format, minLength = 0, maxLength } = schema
  if (pattern === llamaCpp.referencePattern) return 'reference'
  if (pattern !== undefined) return `(${ofPattern(String(pattern))})`
  if (format !== undefined) {
    const grammar = Object.hasOwn(formats, String(format)) ? formats[String(format)] : undefined
    if (grammar === undefined) throw new Error(`no grammar for the format ${format}`)
    return grammar
  }
  const least = Number(minLength)
  return `char{${least},${Math.min(Number(maxLength ?? Number.POSITIVE_INFINITY), least + longestText)}}`
}

function isFreeText(schema: JsonSchema): boolean {
  return ['pattern', 'format', 'minLength', 'maxLength'].every((keyword) => schema[keyword] === undefined)
}

/** Patterns that lowering keeps are `literal`: all but their plain characters is written alike in GBNF. */
function ofPattern(pattern: string): string {
  return pattern
    .slice(1, -1)
    .replaceAll('(?:', '(')
    .replace(
      /(\[[^\]]*\])|([*+?]|\{\d+(?:,\d*)?\})\??|([()|])|\\?([\s\S])/gu,
      (_, set?: string, quantity?: string, structure?: string, character?: string) =>
        ` ${set ?? (quantity && bounded(quantity)) ?? structure ?? quoted(character ?? '')}`,
    )
    .replaceAll(/ (?=[{?])/g, '')
}

/** What may repeat without end repeats a few times. */
function bounded(quantity: string): string {
  const open = /^\{(\d+),\}$/.exec(quantity)
  if (quantity === '*') return `{0,${longestText}}`
  if (quantity === '+') return `{1,${longestText}}`
  return open ? `{${open[1]},${Number(open[1]) + longestText}}` : quantity
}

function lowest({ minimum, exclusiveMinimum }: JsonSchema): number | undefined {
  const bounds = [
    ...(typeof minimum === 'number' ? [Math.ceil(minimum)] : []),
    ...(typeof exclusiveMinimum === 'number' ? [Math.floor(exclusiveMinimum) + 1] : []),
  ]
  return bounds.length === 0 ? undefined : Math.max(...bounds)
}

function highest({ maximum, exclusiveMaximum }: JsonSchema): number | undefined {
  const bounds = [
    ...(typeof maximum === 'number' ? [Math.floor(maximum)] : []),
    ...(typeof exclusiveMaximum === 'number' ? [Math.ceil(exclusiveMaximum) - 1] : []),
  ]
  return bounds.length === 0 ? undefined : Math.min(...bounds)
}

function json(value: unknown): string {
  return quoted(JSON.stringify(value))
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
