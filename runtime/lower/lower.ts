import type { DialectName } from '../dialects/dialect-name.ts'
import { dialects } from '../dialects/dialects.ts'
import { CallsheetError, type Problem } from '../errors.ts'
import { definitionName } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { isWithoutKeyword } from '../keywords/keywords.ts'
import { entryOf } from '../problems/entry-of.ts'
import { oneOf, text } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { jsonOfSchema } from '../schema/json-of-schema.ts'
import { withNull } from '../schema/modernise.ts'
import { reachable } from '../schema/needed-definitions.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { mapChildSchemas } from '../schema/schema-children.ts'
import type { CodecScope } from './codec/codec.ts'
import { lift } from './codec/lift.ts'
import { toLowered } from './codec/to-lowered.ts'
import { toolName } from './composed-tools.ts'
import { jsonText } from './json-text.ts'
import type { Loss, StandIn } from './losses.ts'
import { lowerNode } from './lower-node.ts'
import { type Lowered, Lowering } from './lowering.ts'
import { malformed } from './malformed.ts'
import { tooDeep } from './too-deep.ts'
import { type Usage, usageOf } from './usage.ts'

/** Options of {@link lower}. */
export interface LowerOptions {
  /** The Tool that the schema belongs to, for losses and usage. Not needed for a composed schema, which names its Tools. */
  readonly tool?: string | undefined
  /** `native`: the schema is for a provider's native tools, which have other limits. */
  readonly use?: 'composed' | 'native' | undefined
}

/** Expected where the keywords of a schema contradict each other. */
export const satisfiable = 'a schema that some value satisfies'

const lowerRules: OptionRules<LowerOptions> = { tool: text, use: oneOf('composed', 'native') }

/** A schema in a dialect's form, and the conversion of values in both directions. */
export interface LoweredSchema {
  readonly dialect: DialectName
  readonly schema: JsonSchema
  /**
   * Converts an answer under {@link schema} to the form of the declared schema. Never throws and never changes its input;
   * values of an unexpected form are returned unchanged, for the validator to report.
   */
  lift(value: unknown): unknown
  /** Converts a value of the declared schema to the form of {@link schema}: for examples and earlier Calls. */
  toLowered(value: unknown): unknown
  /** Everything that the dialect does not express as declared (REQ-5a). */
  readonly losses: readonly Loss[]
  /** Places where values are sent in a substitute form, without loss (REQ-5c). */
  readonly standIns: readonly StandIn[]
  /** Each limit of the dialect, with the value reached. */
  readonly usage: readonly Usage[]
}

/**
 * Rewrites a declared schema in a provider's dialect (REQ-5). Always start from the declared schema: dialects express
 * optional properties in opposite ways, so a lowered schema cannot be lowered again to another dialect.
 *
 * For every value that is valid under the result, `lift(value)` is valid under the declared schema, except for the constraints in
 * `losses`, which the validator still enforces.
 *
 * @param declared A composed schema, or any other, such as one of TypeBox or a generated Tool's, with references of the form `#/$defs/Name`.
 * @throws CallsheetError `unsupported_schema`, listing every problem, if the dialect cannot express the schema; `invalid_options`
 * for an unknown dialect.
 *
 * @example
 * ```ts
 * const { schema, lift, losses } = lower(compose(tools), 'openai')
 * const solution = lift(JSON.parse(answer))
 * ```
 */
export function lower(
  declared: JsonSchema | object,
  name: DialectName,
  options: LowerOptions = {},
): LoweredSchema {
  requireArgument('lower', declared, [isJson, 'a JSON Schema, such as z.toJSONSchema(schema)'])
  requireOptionsOf('lower', options, lowerRules)
  const dialect = entryOf(dialects, name, 'A schema is lowered to')
  const given = declared as JsonSchema
  const tool = options.tool ?? toolName(given)
  const unsound = tooDeep(given) ?? malformed(given)
  if (unsound) throw unsupported(name, tool, [unsound])
  const schema = withTypeOfNull(given)
  const use = options.use ?? 'composed'
  if (dialect.asDeclared && (!dialect.objectRoot || isObjectRoot(schema))) {
    const same = (value: unknown): unknown => value
    const usage = usageOf(schema, dialect, { tool, use })
    return { dialect: name, schema, lift: same, toLowered: same, losses: [], standIns: [], usage }
  }

  const lowering = new Lowering(schema, dialect, { node: lowerNode, text: jsonText }, tool)
  const { root, definitions, problems } = lowering
  const start = problems.length > 0 ? root : findRoot(lowering)
  const lowered = problems.length > 0 ? undefined : lowerFrom(start, schema, lowering)
  if (!lowered && problems.length === 0) {
    lowering.refuse(root, satisfiable, 'one that none can')
  }
  if (!lowered || problems.length > 0) throw unsupported(name, tool, problems)

  const isWrapped = dialect.objectRoot && !isObjectRoot(lowered.schema)
  if (isWrapped) lowering.standIn(root, 'wrapped')
  const { schema: sent, value } = isWrapped ? wrap(lowered) : lowered
  const used = reachable(sent, { get: (name) => definitions.get(name)?.schema })
  const $defs = dialect.asDeclared ? schema.$defs : used.length > 0 ? Object.fromEntries(used) : undefined
  const result: JsonSchema = { ...sent, ...($defs && { $defs }) }
  const scope: CodecScope = {
    definitions,
    marker: lowering.usedMarker ?? '',
    ignoreCapitals: dialect.capitals === 'unreliable',
  }
  const ledgers = lowering.ledgers(used.map(([key]) => key))
  return {
    dialect: name,
    schema: result,
    lift: (answer) => lift(value, answer, scope),
    toLowered: (meant) => toLowered(value, meant, scope),
    losses: ledgers.flatMap(({ losses }) => losses),
    standIns: ledgers.flatMap(({ standIns }) => standIns),
    usage: usageOf(result, dialect, { tool, use }),
  }
}

/** Reads `nullable` as registration does. The schema may come from an OpenAPI document. */
function withTypeOfNull(schema: JsonSchema): JsonSchema {
  const replace = (child: Schema): Schema => (isJsonObject(child) ? withTypeOfNull(child) : child)
  return withNull(mapChildSchemas(schema, replace))
}

/**
 * Lowers from the root, and reports a stack overflow: definitions are lowered recursively, so a chain of some hundreds
 * causes one.
 */
function lowerFrom(start: JsonSchema, schema: JsonSchema, lowering: Lowering): Lowered | undefined {
  try {
    return asDialect(start, schema, lowering)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    lowering.refuse(
      lowering.origins.locate({}, '/$defs'),
      'a chain of definitions that the stack can follow',
      'a longer one; let fewer definitions lead to others',
    )
    return undefined
  }
}

function asDialect(start: JsonSchema, schema: JsonSchema, lowering: Lowering): Lowered | undefined {
  if (!lowering.dialect.asDeclared) return lowering.node(start, { definition: undefined, optional: false })
  const { $defs, ...declared } = schema
  return { schema: declared, value: undefined }
}

/** If the root must be an object, resolves a root that is only a reference. */
function findRoot(lowering: Lowering): JsonSchema {
  let node = lowering.root
  while (lowering.dialect.objectRoot && Object.keys(node).length === 1) {
    const target = lowering.definition(definitionName(node.$ref) ?? '')
    if (!target) break
    node = target
  }
  return node
}

function isJson(schema: unknown): boolean {
  if (!isJsonObject(schema) || isWithoutKeyword(schema)) return false
  return isJsonObject(JSON.parse(JSON.stringify(schema, jsonOfSchema)))
}

/** What models' APIs refuse at the root of a tool's parameters, and with it every tool of the request. MCP's clients pass it on. */
const refusedAtRoot = ['anyOf', 'oneOf', 'allOf', 'not']

function isObjectRoot(schema: JsonSchema): boolean {
  return schema.type === 'object' && !refusedAtRoot.some((keyword) => keyword in schema)
}

/** Wraps a root that is not an object in one. */
function wrap({ schema, value }: Lowered): Lowered {
  return {
    schema: {
      type: 'object',
      properties: { value: schema },
      required: ['value'],
      additionalProperties: false,
    },
    value: { kind: 'wrapped', name: 'value', value },
  }
}

function unsupported(
  dialect: DialectName,
  tool: string | undefined,
  problems: readonly Problem[],
): CallsheetError {
  const of = tool === undefined ? '' : ` of Tool "${tool}"`
  const what = problems.map(({ message }) => message).join('; ')
  return new CallsheetError(
    'unsupported_schema',
    `The schema${of} cannot be said in the dialect "${dialect}". ${what}.`,
    {
      problems,
    },
  )
}
