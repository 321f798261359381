import { compose } from '../../runtime/compose/compose.ts'
import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import type { Loss, StandIn } from '../../runtime/lower/losses.ts'
import { lower } from '../../runtime/lower/lower.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { composableTools, composeOptions } from '../emit/composed.ts'
import { sortFindings } from '../findings/finding-text.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Finding, SourcePosition } from '../model.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { type ReadSet, readModels, requireTools } from '../read-models.ts'
import { type CountTokens, findTokenCounter } from './token-counter.ts'

/** A single Tool in one dialect. */
export interface ExplainedDialect {
  readonly dialect: string
  /** The Tool's branch and the definitions that it needs; undefined if the dialect cannot express it. */
  readonly schema: unknown
  /** UTF-8 bytes of the schema as it is sent, without white space. */
  readonly bytes: number
  /** undefined if gpt-tokenizer is not installed. */
  readonly tokens: number | undefined
  readonly losses: readonly Loss[]
  readonly standIns: readonly StandIn[]
  /** Why the dialect cannot express it. */
  readonly unsupported?: string
}

/** A Tool in every configured dialect. */
export interface Explanation {
  readonly tool: string
  readonly output: string
  readonly at: SourcePosition
  readonly effects: string | undefined
  readonly findings: readonly Finding[]
  readonly dialects: readonly ExplainedDialect[]
}

/**
 * Explains a Tool in each configured dialect. Returns several explanations if several sets have a Tool of the name.
 *
 * @throws GeneratorError `invalid_usage` if no set has the name.
 */
export async function explain(name: string, options: ConfigOptions): Promise<Explanation[]> {
  const sets = await readModels(options)
  requireTools(sets)
  const having = sets.filter(({ model }) => model.tools.some((tool) => tool.name === name))
  if (having.length === 0) throw unknownTool(name, sets)
  const count = await findTokenCounter(sets[0]?.settings.root ?? '.')
  return having.map((set) => explained(name, set, count))
}

function explained(
  name: string,
  { settings, model, findings }: ReadSet,
  count: CountTokens | undefined,
): Explanation {
  const [tool] = model.tools.filter((each) => each.name === name)
  if (!tool) throw new Error(`Tool ${name} is in none of the sets that have it.`)
  const composable = composableTools(model, settings).filter((each) => each.name === name)
  const declared = compose(composable, composeOptions(model, settings))
  return {
    tool: name,
    output: settings.output,
    at: tool.at,
    effects: tool.schema.effects,
    findings: sortFindings(findings.filter((finding) => finding.tool === name)),
    dialects: explainedDialects(
      declared,
      settings.dialects.map(({ dialect }) => dialect),
      count,
    ),
  }
}

/** Lowers a composed schema to each dialect. */
export function explainedDialects(
  declared: JsonSchema,
  dialects: readonly DialectName[],
  count: CountTokens | undefined,
): ExplainedDialect[] {
  return dialects.map((dialect) => {
    try {
      const { schema, losses, standIns } = lower(declared, dialect)
      const text = JSON.stringify(schema)
      return { dialect, schema, bytes: Buffer.byteLength(text), tokens: count?.(text), losses, standIns }
    } catch (error) {
      if (!isCallsheetError(error) || error.code !== 'unsupported_schema') throw error
      const none = { schema: undefined, bytes: 0, tokens: undefined, losses: [], standIns: [] }
      return { dialect, ...none, unsupported: error.message }
    }
  })
}

function unknownTool(name: string, sets: readonly ReadSet[]): GeneratorError {
  const known = sets.flatMap(({ model }) => model.tools.map((tool) => tool.name))
  const errors = sets.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error')
  const broken = errors.length > 0 ? ' Not all definitions are right: see `callsheet lint`.' : ''
  return new GeneratorError('invalid_usage', [
    {
      message: `There is no Tool "${name}".${didYouMean(name, known)}`,
      fix: `Tools: ${known.join(', ') || 'none'}.${broken}`,
    },
  ])
}
