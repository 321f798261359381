import { type BranchOptions, branch } from '../compose/branch.ts'
import { withOwnRoot } from '../compose/by-itself.ts'
import {
  type ActivityNames,
  type ComposableTool,
  composableTools,
  type GivenTool,
} from '../compose/composable.ts'
import { type ComposeOptions, composeRules } from '../compose/compose.ts'
import { addDefinitions, localDefinitions, OwnDefinitions } from '../compose/definitions.ts'
import { type ReferenceOptions, References } from '../compose/reference-options.ts'
import { type SubsetOptions, selectTools } from '../compose/select-tools.ts'
import { dialects } from '../dialects/dialects.ts'
import { CallsheetError } from '../errors.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import type { Loss, StandIn } from '../lower/losses.ts'
import type { LoweredSchema } from '../lower/lower.ts'
import { lowerCached } from '../lower/lower-cached.ts'
import { countSchema, type Part, type Usage, usageOfParts } from '../lower/usage.ts'
import { entryOf } from '../problems/entry-of.ts'
import { isFunction, oneOf } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { reachable, withNeededDefinitions } from '../schema/needed-definitions.ts'
import { requireJsonSchema } from '../schema/require-json-schema.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { providerSafeName } from '../schema/tool-name.ts'
import { callsOf, type NativeCall } from './calls-of.ts'
import { chooseStrict } from './choose-strict.ts'
import { nativeExamples } from './native-examples.ts'
import { withPlainNames } from './plain-names.ts'
import { type NativeApi, type NativeShape, nativeShapes } from './shapes.ts'

export type { NativeCall } from './calls-of.ts'
export type { NativeApi } from './shapes.ts'

/** Options of `lowerTools`. */
export interface NativeOptions extends BranchOptions, ReferenceOptions, SubsetOptions {
  /**
   * Whether the model fills the meta-fields: the reason, and those that a Tool declares. Default: `keep`, except for `mcp`, whose
   * clients do not know them.
   */
  readonly metaFields?: 'keep' | 'omit' | undefined
  /**
   * `none` makes no Tool strict. Default: as many as the provider's limits allow, the smallest first. `in-order` uses
   * the order of the list, so that appended Tools do not change earlier ones.
   */
  readonly strict?: 'auto' | 'in-order' | 'none' | undefined
  /**
   * `omit` leaves the Tools' `examples` out. By default they are sent if the provider supports them: as Anthropic's
   * `input_examples`, which it refuses together with its tool search.
   */
  readonly examples?: 'keep' | 'omit' | undefined
  /**
   * The lowered schema of a response format that is sent together with the Tools: Anthropic's limits are for all that it enforces in
   * a request.
   */
  readonly answerSchema?: JsonSchema | undefined
  /** Definitions that several Tools share; each Tool is sent with those that it needs. */
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
  /** Which Tools given as plain schemas have an Activity (ACT-3a). */
  readonly activities?: ActivityNames | undefined
}

const nativeRules: OptionRules<NativeOptions & Pick<ComposeOptions, 'output'>> = {
  // Ignored here: options for composing only, such as `output`.
  ...composeRules,
  metaFields: oneOf('keep', 'omit'),
  strict: oneOf('auto', 'in-order', 'none'),
  examples: oneOf('keep', 'omit'),
  answerSchema: [isJsonObject, 'an object'],
}

/** Tools in the form of a provider's API, and the conversion of its answers. */
export interface NativeTools {
  /** The value of the request's `tools`; for `mcp`, that of a `tools/list` result. */
  readonly tools: readonly JsonObject[]
  /** The names of the strict Tools, which the provider enforces; Calls of the others are only validated here. */
  readonly strict: readonly string[]
  /** The names of the Tools that are never strict, since each exceeds a documented limit by itself. */
  readonly oversized: readonly string[]
  readonly losses: readonly Loss[]
  readonly standIns: readonly StandIn[]
  readonly usage: readonly Usage[]
  /**
   * Reads the Calls in a provider's answer: a chat completion or its message, a response, an Anthropic message, a
   * Gemini response, or MCP `tools/call` parameters. An unreadable call becomes an error and does not affect the
   * others; an answer without calls gives an empty list.
   *
   * @throws CallError `invalid_call` if it is not an answer of any of these.
   */
  callsFromAnswer(answer: unknown): NativeCall[]
}

/**
 * Converts Tools to a provider's native tools, for providers that do not accept one composed schema (REQ-5b). The
 * answers are converted to the same Calls. Names are sent in their provider-safe form; `_tool` and `_activity` are not
 * sent.
 *
 * @throws CallsheetError `unsupported_schema` for a Tool that the provider's dialect cannot express.
 *
 * @example
 * ```ts
 * const native = lowerTools(tools, 'anthropic')
 * const answer = await client.messages.create({ …, tools: native.tools })
 * for (const { call } of native.callsFromAnswer(answer)) if (call) await Tool.run(call)
 * ```
 */
export function lowerTools(
  tools: Iterable<GivenTool>,
  api: NativeApi,
  options: NativeOptions = {},
): NativeTools {
  requireArgument('lowerTools', tools, [
    (value) => typeof value === 'object' && value !== null && isFunction(Reflect.get(value, Symbol.iterator)),
    'a list of Tools; of Tools by name give Object.values(tools)',
  ])
  requireOptionsOf('lowerTools', options, nativeRules)
  requireJsonSchema(options.answerSchema ?? true, 'the answer')
  return shapeTools(tools, entryOf(nativeShapes, api, 'Tools are listed for'), options)
}

/** Converts Tools to native tools, as {@link lowerTools} does, of any shape. */
export function shapeTools(
  tools: Iterable<GivenTool>,
  shape: NativeShape,
  options: NativeOptions,
): NativeTools {
  const dialect = dialects[shape.dialect]
  const offered = selectTools(composableTools(tools, options.activities, options.definitions), options)
  requireDifferentNames(offered)
  const omitsMeta = (options.metaFields ?? (shape.dialect === 'mcp' ? 'omit' : 'keep')) === 'omit'
  // Clients that do not know meta-fields do not know References either.
  const references = new References(offered, omitsMeta ? { references: 'none', ...options } : options)
  const shared = new Map(Object.entries(options.definitions ?? {}))
  const prepared = offered.map((tool) => prepare(tool, shape, { ...options, omitsMeta, references, shared }))
  const candidates = options.strict === 'none' || !shape.canBeStrict ? [] : prepared
  const answer = { ...countSchema(options.answerSchema ?? {}), tools: 0 }
  const isInOrder = options.strict === 'in-order'
  const { oversized, ...chosen } = chooseStrict(candidates, dialect.limits, isInOrder, answer)
  const strict = new Set(chosen.strict)
  const uncounted = countSchema({})
  const parts = prepared.map(({ name, safeName, counts }): Part => {
    const isStrict = strict.has(name)
    // Tools that are not strict do not count towards the limits of strict tools.
    const counted = isStrict || !shape.canBeStrict ? counts : uncounted
    return {
      tool: name,
      counts: { ...counted, strictTools: isStrict ? 1 : 0, nameLength: safeName.length },
    }
  })
  parts.push({ tool: '(answer)', counts: answer })
  return {
    tools: shape.list(
      prepared.map((tool) => ({
        name: tool.safeName,
        description: tool.description,
        parameters: tool.lowered.schema,
        isStrict: strict.has(tool.name),
        schema: tool.schema,
        output: shape.takesOutput ? outputOf(tool, shared) : undefined,
        examples: options.examples === 'omit' || !shape.takesExamples ? [] : nativeExamples(tool),
      })),
    ),
    strict: prepared.filter(({ name }) => strict.has(name)).map(({ name }) => name),
    oversized,
    losses: prepared.flatMap(({ lowered }) => lowered.losses),
    standIns: prepared.flatMap(({ lowered }) => lowered.standIns),
    usage: usageOfParts(parts, dialect, 'native'),
    callsFromAnswer: (answer) => callsOf(answer, prepared),
  }
}

/** Refuses names with the same provider-safe form: generation does (TOOL-3), but Tools registered at run time may have them. */
function requireDifferentNames(tools: readonly ComposableTool[]): void {
  const owners = new Map<string, string>()
  for (const { name } of tools) {
    const sent = providerSafeName(name)
    const owner = owners.get(sent)
    if (owner !== undefined) {
      throw new CallsheetError(
        'unsupported_schema',
        `Tools "${owner}" and "${name}" would both be sent as "${sent}". Rename one of them, or leave it out.`,
      )
    }
    owners.set(sent, name)
  }
}

interface PreparedTool {
  readonly name: string
  readonly safeName: string
  readonly description: string | undefined
  readonly schema: JsonSchema
  /** The Tool's own definitions. */
  readonly definitions: Readonly<Record<string, Schema>>
  /** What {@link lowered} was made of. */
  readonly declared: JsonSchema
  readonly lowered: LoweredSchema
  readonly counts: ReturnType<typeof countSchema>
}

interface Preparation extends Omit<NativeOptions, 'references'> {
  readonly omitsMeta: boolean
  readonly references: References
  /** {@link NativeOptions.definitions} by name. */
  readonly shared: ReadonlyMap<string, Schema>
}

function prepare(tool: ComposableTool, shape: NativeShape, preparation: Preparation): PreparedTool {
  const declared = parametersOf(tool, preparation)
  const exact = lowerCached(declared, shape.dialect, { tool: tool.name, use: 'native' })
  const lowered = shape.takesAnyName ? exact : withPlainNames(exact, tool.name)
  return {
    name: tool.name,
    safeName: providerSafeName(tool.name),
    description: tool.schema.description,
    schema: tool.schema,
    definitions: localDefinitions(tool),
    declared,
    lowered,
    counts: lowered === exact ? exact.count() : countSchema(lowered.schema),
  }
}

/** Builds the schema that the model fills: the Tool's branch without the fields that its name implies. */
function parametersOf(tool: ComposableTool, options: Preparation): JsonSchema {
  const { omitsMeta, references } = options
  const definitions = new OwnDefinitions(options.shared)
  const admission = references.of(tool)
  const isSent = (name: string): boolean =>
    name !== '_tool' &&
    name !== '_activity' &&
    (!omitsMeta || !name.startsWith('_') || (tool.schema.parameters?.includes(name) ?? false))
  const made = branch(tool, options, admission, isSent)
  const local = { ...localDefinitions(tool), ...admission.definitions, ...made.definitions }
  const { description, ...sent } = addDefinitions(made.schema, local, definitions)
  const used = reachable(sent, definitions)
  return used.length > 0 ? { ...sent, $defs: Object.fromEntries(used) } : sent
}

/** Returns the schema of the output, self-contained: with all definitions it references, the Tool's own and shared ones. */
function outputOf(
  { schema, definitions }: PreparedTool,
  shared: ReadonlyMap<string, Schema>,
): Schema | undefined {
  const output = own(schema.properties ?? {}, '_output') as Schema | undefined
  if (!isJsonObject(output)) return output
  const known = new OwnDefinitions(shared)
  for (const [name, definition] of Object.entries(definitions)) known.set(name, definition)
  const $defs = { ...Object.fromEntries(reachable(output, known)), ...definitions }
  return withNeededDefinitions(withOwnRoot({ ...output, $defs }))
}
