import type { RegistryTools } from '../compose/compose.ts'
import { CallsheetError } from '../errors.ts'
import { byCodeUnit, isJsonObject } from '../json/json.ts'
import { isMapOrList, isReadable, oneOf } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { isParameter } from '../schema/is-parameter.ts'
import { isMetaField, metaFieldNames } from '../schema/meta-fields.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { toolExamples } from '../schema/tool-examples.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import { withoutOptions } from '../schema/without-options.ts'
import { invalidToolName } from '../tools/register-tool.ts'
import { DefinitionTypes } from './definition-types.ts'
import { noteText } from './note.ts'
import { escapeUnprintable, oneLine } from './prompt-text.ts'
import { besideText, memberText, type NameOf, objectText } from './type-text.ts'

/** Tools to render: a registry's `Tool`, a record by name, or an iterable of schemas that declare their names in `_tool`. */
export type RenderableTools = RegistryTools | Iterable<object> | Readonly<Record<string, object>>

/**
 * Renders Tools as prompt text for models without structured output, with instructions to answer in a form that `Tool.parse`
 * reads (REQ-11a). `'typescript'` takes about 0.6 of the tokens of JSON Schema; `'json'` keeps every keyword. Tools that are
 * switched off are left out. The text does not depend on the order of the Tools.
 *
 * Descriptions are put on one line, so that none can end its comment or the fence around it. Instructions to the model within
 * a description cannot be prevented.
 *
 * @throws CallsheetError `unsupported_schema` if a schema is not a Tool's, has no name, or is too malformed to be read.
 * @example render({ bold: tool('bold', { text: Type.String() }) }, 'typescript')
 */
export function render(tools: RenderableTools, format: 'typescript' | 'json'): string {
  requireArgument('render', tools, [
    (value) =>
      isMapOrList(value) || (isReadable(value) && (Symbol.iterator in value || 'composable' in value)),
    'a registry’s Tool, Tools by name, or a list of them',
  ])
  requireArgument('render', format, [
    oneOf('typescript', 'json')[0],
    '"typescript" or "json" after the Tools',
  ])
  const shown = named(tools)
    .filter(({ schema }) => schema.enabled !== false)
    .sort((left, right) => byCodeUnit(left.name, right.name))
  const body = format === 'json' ? jsonBody(shown) : typescriptBody(shown)
  return `${[introduction[format], body, ...examplesText(shown), howToAnswer, ...tupleText(shown)].join('\n\n')}\n`
}

const introduction = {
  typescript: 'You can call tools. Each member of the type Call is one tool; comments say what it does.',
  json: 'You can call tools. Each line is the JSON Schema of the calls of one tool, named by "_tool".',
}

/** Describes the format that `parseCalls` of `parse.ts` reads. */
const howToAnswer = `Answer with one JSON object and nothing else:
{"calls":[{"_tool":"<tool>","_reasoningForCall":"<why>", <its parameters>}],"output":null}
"calls" lists the calls to make, in order, or is []. "output" is the final answer, or null while there is none.
It must be strict JSON: double quotes, no comments, no trailing commas.`

/** Renders the `examples` of the Tools (REQ-16). */
function examplesText(tools: readonly Shown[]): string[] {
  const lines = tools.flatMap(({ name, schema }) =>
    toolExamples(name, schema).map((call) => escapeUnprintable(JSON.stringify(call))),
  )
  return lines.length > 0 ? [`Examples of calls:\n${fenced('json', lines.join('\n'))}`] : []
}

/** Explains the positional form of Tools with `parser: 'tuple'` (CALL-9). */
function tupleText(tools: readonly Shown[]): string[] {
  const lines = tools.flatMap(({ name, schema }) =>
    schema.parser === 'tuple' ? [`${name}(${positions(name, schema).join(', ')})`] : [],
  )
  if (lines.length === 0) return []
  const how =
    'An answer that only calls these tools can be plain text instead, a call on each line, arguments by position:'
  return [`${how}\n${fenced('text', lines.join('\n'))}`]
}

function positions(name: string, schema: ToolSchema): string[] {
  const facts = toolFacts(name, schema)
  const names = Object.keys(schema.properties ?? {}).filter((property) => isParameter(facts, property))
  const required = new Set(schema.required)
  return names.map((parameter) => `${oneLine(parameter)}${required.has(parameter) ? '' : '?'}`)
}

interface Shown {
  readonly name: string
  readonly schema: ToolSchema
}

function named(tools: RenderableTools): Shown[] {
  if (isRegistry(tools)) return tools.composable().map(({ name, schema }) => ({ name, schema }))
  const entries: [string | undefined, object][] = isIterable(tools)
    ? [...tools].map((schema) => [declaredToolName(schema), schema])
    : Object.entries(tools)
  return entries.map(([name, schema]) => {
    if (!name) throw invalidToolName('')
    return { name, schema: plainToolSchema(name, schema) }
  })
}

/** A record may have a Tool of any name, but no function. */
function isRegistry(tools: RenderableTools): tools is RegistryTools {
  return 'composable' in tools && typeof tools.composable === 'function'
}

function isIterable(tools: Exclude<RenderableTools, RegistryTools>): tools is Iterable<object> {
  return Symbol.iterator in tools
}

function jsonBody(tools: readonly Shown[]): string {
  return fenced(
    'json',
    tools.map(({ schema }) => escapeUnprintable(JSON.stringify(forModels(schema)))).join('\n'),
  )
}

/** Drops options that only the runtime reads, and meta-fields with only one legal value. */
function forModels(schema: ToolSchema): JsonSchema {
  const { properties = {}, required = [], ...rest } = withoutOptions(schema)
  const shown = Object.entries(properties).filter(([name, property]) => isShown(name, property))
  return {
    ...rest,
    properties: Object.fromEntries(shown),
    required: required.filter(
      (name) => shown.some(([kept]) => kept === name) || !Object.hasOwn(properties, name),
    ),
  }
}

function typescriptBody(tools: readonly Shown[]): string {
  const definitions = new DefinitionTypes()
  const members = tools.map(({ name, schema }) => {
    try {
      return `| ${callText(schema, definitions)}`
    } catch (cause) {
      // A registry takes malformed schemas, and refuses their Calls.
      throw new CallsheetError('unsupported_schema', `The schema of Tool "${name}" is malformed.`, { cause })
    }
  })
  const calls = ['type Call =', ...(members.length > 0 ? members : ['never'])]
  return fenced('ts', [...definitions.lines, ...calls].join('\n'))
}

function callText(schema: ToolSchema, definitions: DefinitionTypes): string {
  const { properties = {} } = schema
  const required = new Set(schema.required)
  const shown = Object.entries(properties)
    .filter(([name, property]) => isShown(name, property))
    .sort(([left], [right]) => rank(left) - rank(right))
  const membersWith = (nameOf: NameOf): string[] =>
    shown.map(([name, property]) => memberText(name, property, !required.has(name), nameOf))
  const nameOf = definitions.namesFor(schema, (name) => [membersWith(name), besideText(schema, name)])
  const members = membersWith(nameOf)
  const beside = besideText(schema, nameOf)
  const about = noteText(schema)
  // The description comes first, since a model reads in order.
  return about === ''
    ? `${objectText(members)}${beside}`
    : `{ // ${about}\n${members.map((one) => one.replace(/^/gm, '  ')).join('\n')}\n}${beside}`
}

/** Orders properties as a model should write them: `_tool` first, `_output` last, since it follows from the rest. */
function rank(name: string): number {
  if (!isMetaField(name)) return metaFieldNames.length
  return name === '_output' ? metaFieldNames.length + 1 : metaFieldNames.indexOf(name)
}

/** Hides meta-fields with only one legal value, and an output whose schema is empty. */
function isShown(name: string, property: Schema): boolean {
  if (name === '_tool' || !isMetaField(name)) return true
  if (!isJsonObject(property)) return false
  return !Object.hasOwn(property, 'const') && Object.keys(property).length > 0
}

/**
 * Wraps code in a Markdown fence. No line inside can begin with a fence: types begin otherwise, and JSON has no raw
 * line breaks.
 */
function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}
