import { CallsheetError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { isMapOrList, mapOf } from '../problems/field-rule.ts'
import { holds, requireArgument } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import { fixedValue, withActivitySchema } from './fixed-value.ts'
import { isMetaField } from './meta-fields.ts'
import { hasOptionalMark } from './optional-mark.ts'
import type { Effects, Schema } from './schema.ts'
import { requireSharedMeta, type SharedMeta, sharedMetaOf } from './shared-meta.ts'

/**
 * The parameters, meta-fields and `_output` of a Tool: TypeBox schemas or plain JSON Schemas by name. `_activity` may be a plain
 * string.
 */
export interface ToolProperties {
  [name: string]: Schema | object | string
}

/** Requires each property of a Tool to be a schema. */
export type SchemasOf<Properties> = {
  [Name in keyof Properties]: '_activity' extends Name ? Schema | object | string : Schema | object
}

/**
 * Options of a Tool, for readers and for policies (TOOL-9). Each becomes an annotation on the schema. Any JSON Schema keyword for
 * objects is accepted as well.
 */
export interface ToolOptions {
  /** What the Tool does, for the model and for people. */
  description?: string
  title?: string
  /**
   * What its Activity does to the world. Only `read` and `idempotent` Tools are retried once their Activity began;
   * `write` Tools are refused by `Tool.any` and `Tool.race`, and never answered by a model in place of their Activity.
   */
  effects?: Effects
  /** `false`: the Tool is neither offered nor runnable. To decide by the context, pass a function to `Tool.register`. */
  enabled?: boolean
  /** How arguments as text are parsed (CALL-9). */
  parser?: 'json' | 'tuple'
  /** Properties with a leading underscore that are parameters nonetheless. */
  parameters?: string[]
  examples?: unknown[]
  deprecated?: boolean
  /** `false`: models cannot write References in this Tool's parameters (REF-5). */
  references?: false
  /** Default: `false`, undeclared properties are refused. */
  additionalProperties?: Schema | object
  [keyword: string]: unknown
}

/** The literal schema of a Tool's name, with the shape of TypeBox's `TLiteral`. */
export interface ToolName<Name extends string> {
  '~kind': 'Literal'
  type: 'string'
  const: Name
}

/**
 * A declared Tool: a plain JSON Schema that TypeBox accepts as a `TObject`, so that `Static<typeof weatherCheck>` works. Written
 * out here rather than imported, because agents and workers must type-check without TypeBox.
 */
export interface DeclaredTool<Name extends string, Properties extends ToolProperties> {
  '~kind': 'Object'
  type: 'object'
  properties: { _tool: ToolName<Name> } & Properties
  // TypeBox computes a tuple of the required names here; matching it costs thousands of instantiations per Tool.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  required: any
}

/**
 * Declares a Tool: an interface without an implementation.
 *
 * Properties without a leading underscore are parameters; `_output` describes the result; the other meta-fields
 * (`_scopes`, `_outputPath`, …) declare what a Call may carry. The result is plain JSON Schema and closed unless
 * `additionalProperties` is set.
 *
 * @param name Segments of `[A-Za-z_][A-Za-z0-9_-]*` separated by dots, such as `weatherCheck` or `git.status`.
 * @throws CallsheetError `invalid_options` if the properties are not an object of schemas. Errors within a schema are reported by
 * `generate`.
 * @example
 * export const weatherCheck = tool('weatherCheck', {
 *   location: Type.String({ description: 'City and country' }),
 *   _output: Type.Object({ temperature: Type.Number() }),
 * }, { description: 'Current weather at a location.', effects: 'read' })
 */
export function tool<const Name extends string, Properties extends ToolProperties & SchemasOf<Properties>>(
  name: Name,
  properties: Properties,
  options: ToolOptions = {},
): DeclaredTool<Name, Properties> {
  requireName(name)
  requireProperties(name, properties, options)
  // The properties of another Tool, spread into these, bring that Tool's name along.
  const { _tool, ...written } = withActivitySchema(properties)
  const schema = {
    type: 'object',
    properties: { _tool: withKind('Literal', { type: 'string', const: name }), ...written },
    required: ['_tool', ...Object.keys(written).filter((key) => isRequired(key, written))],
    additionalProperties: false,
    ...options,
  }
  // The one cast: TypeBox's marks are hidden properties, which an object literal cannot have.
  return withKind('Object', schema) as unknown as DeclaredTool<Name, Properties>
}

/** Options of a {@link toolkit}: for all its Tools, and for single ones. */
export interface ToolkitOptions<Member extends string = string> extends ToolOptions {
  /** Options of single Tools; they override those of the whole toolkit. */
  members?: { [Name in Member]?: ToolOptions }
  /** Meta-fields for all Tools of the toolkit; a Tool's own declaration takes precedence (TOOL-10). */
  meta?: SharedMeta
}

/** A declared toolkit: its Tools by the last segment of their names. */
export type DeclaredToolkit<Name extends string, Members extends Record<string, ToolProperties>> = {
  [Member in keyof Members & string]: DeclaredTool<`${Name}.${Member}`, Members[Member]>
}

/**
 * Declares several Tools under one name; each is registered as `Name.member`.
 *
 * @example
 * export const PhraseEmphasis = toolkit('PhraseEmphasis', {
 *   bold: { text: Type.String(), _output: Type.String() },
 *   italic: { text: Type.String(), _output: Type.String() },
 * }, { effects: 'read', members: { bold: { description: 'Makes a phrase bold.' } } })
 */
export function toolkit<
  const Name extends string,
  Members extends Record<string, ToolProperties> & { [Member in keyof Members]: SchemasOf<Members[Member]> },
>(
  name: Name,
  members: Members,
  options: ToolkitOptions<keyof Members & string> = {},
): DeclaredToolkit<Name, Members> {
  requireName(name)
  requireArgument('toolkit', members, mapOf('the properties of its Tools by their names'))
  requireArgument('toolkit', options, mapOf('an object of options last'))
  const { members: memberOptions = {}, meta = {}, ...shared } = options
  requireArgument(
    'toolkit',
    memberOptions,
    mapOf('{ members: { bold: { … } } }: options by the name of a Tool'),
  )
  requireArgument('toolkit', meta, [isMapOrList, '{ meta: { … } }: meta-fields that its Tools share'])
  requireSharedMeta(meta)
  requireMemberOptions(name, members, memberOptions, shared)
  const tools = Object.entries(members).map(([member, properties]) => {
    const own = (memberOptions as Record<string, ToolOptions | undefined>)[member]
    const whole = `${name}.${member}`
    requireProperties(whole, properties, {})
    return [member, tool(whole, withShared(whole, properties, meta), { ...shared, ...own })] as const
  })
  return Object.fromEntries(tools) as DeclaredToolkit<Name, Members>
}

/** Refuses options of single Tools in the wrong place: any keyword is allowed on a Tool, so they would silently be ignored. */
function requireMemberOptions(name: string, members: object, own: object, shared: object): void {
  const names = Object.keys(members)
  if (names.length === 0)
    throw wrongArguments(`Toolkit "${name}" has no Tools: give their properties by their names.`)
  const strange = Object.keys(own).find((member) => !names.includes(member))
  if (strange !== undefined) {
    throw wrongArguments(`Toolkit "${name}" has no Tool "${strange}". It has ${names.join(', ')}.`)
  }
  const misplaced = names.find((member) => isJsonObject(Reflect.get(shared, member)))
  if (misplaced !== undefined) {
    throw wrongArguments(
      `The options of toolkit "${name}" hold those of its Tool "${misplaced}". Write { members: { ${misplaced}: { … } } }.`,
    )
  }
}

/** Shared meta-fields are optional: a Call of one Tool need not set what another Tool needs. */
function withShared<Properties extends ToolProperties>(
  name: string,
  properties: Properties,
  meta: SharedMeta,
): Properties {
  const shared = Object.entries(sharedMetaOf(name, meta)).map(([field, schema]) => {
    // Whatever it is, with what is hidden or inherited: reading the Tool refuses what is no schema.
    if (!isJsonObject(schema)) return [field, schema]
    const mark = { '~optional': { value: true } }
    const copy = { ...Object.getOwnPropertyDescriptors(schema), ...mark }
    return [field, Object.create(Object.getPrototypeOf(schema), copy)]
  })
  return { ...Object.fromEntries(shared), ...properties }
}

/**
 * Lists the required properties: all that are not marked optional, except `_output`, which is the result, and meta-fields with
 * only one legal value, which a Call need not repeat.
 */
function isRequired(name: string, properties: ToolProperties): boolean {
  const property = properties[name]
  if (name === '_output') return false
  if (!isJsonObject(property)) return true
  return !(hasOptionalMark(property) || (isMetaField(name) && fixedValue(property) !== undefined))
}

/** Recognises the form of another SDK, `tool({ name, … })`. */
function requireName(name: unknown): void {
  requireArgument('A declaration', name, [
    (value) => typeof value === 'string',
    'a name, its properties and options after them',
  ])
}

/** Refuses arguments that the compiler would refuse too: for plain JavaScript, and arguments in the wrong order. */
function requireProperties(name: string, properties: unknown, options: unknown): void {
  const takes = `Tool "${name}" takes an object of schemas by name, and options after it`
  // A schema of ArkType is a function.
  if (holds([(value) => '~standard' in Object(value), ''], properties)) {
    throw wrongArguments(`${takes}; got a schema of a library. Give the properties of its JSON Schema.`)
  }
  if (!holds(schemasByName, properties)) throw wrongArguments(`${takes}; got ${kindOf(properties)}.`)
  const { type, properties: inner } = properties as JsonObject
  if (type === 'object' && isJsonObject(inner)) {
    throw wrongArguments(`${takes}; got a whole object schema. Give its properties.`)
  }
  if (!holds(objectOfOptions, options)) throw wrongArguments(`${takes}; got ${briefly(options)} as options.`)
  // They and its name would replace these.
  if ('properties' in (options as JsonObject)) {
    throw wrongArguments(`${takes}; got a whole Tool as options. Spread its \`properties\` among these.`)
  }
  // JSON has no functions: it would get lost, and a model would make up the outputs. `enabled` has a better error at registration.
  const work = Object.entries(options as JsonObject).find(
    ([option, value]) => typeof value === 'function' && option !== 'enabled',
  )
  if (work === undefined) return
  throw wrongArguments(
    `Tool "${name}" is a declaration and has no \`${work[0]}\`: use Activity.register('${name}', …).`,
  )
}

const schemasByName = mapOf('an object of schemas by name')
const objectOfOptions = mapOf('an object of options')

function kindOf(value: unknown): string {
  return value === null ? 'null' : holds([Array.isArray, ''], value) ? 'an array' : typeof value
}

function wrongArguments(message: string): CallsheetError {
  return new CallsheetError('invalid_options', message)
}

/** Marks a schema as TypeBox does: with a hidden property, which JSON and spreads leave out. */
function withKind<Target extends object>(kind: string, target: Target): Target {
  return Object.defineProperty(target, '~kind', { value: kind, enumerable: false })
}
