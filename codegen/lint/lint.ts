import { keepFigures } from '../budget/keep-figures.ts'
import { measureSet } from '../budget/measured-set.ts'
import type { RatchetMode } from '../budget/ratchet-modes.ts'
import type { DialectWeight } from '../budget/weigh.ts'
import type { ConfigOptions } from '../config/load-config.ts'
import { type DialectOutput, emitDialects } from '../emit/dialects.ts'
import { findTokenCounter } from '../explain/token-counter.ts'
import { sortFindings } from '../findings/finding-text.ts'
import { hasError } from '../findings/has-error.ts'
import type { Finding } from '../model.ts'
import { readModels } from '../read-models.ts'
import { confusableTools } from './confusable-tools.ts'
import { latentByDefault } from './latent-by-default.ts'

/** One set of definitions with the results of every configured dialect. */
export interface LintedSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: number
  readonly dialects: readonly DialectOutput[]
  /** Sizes by dialect, the largest Tool first (DIFF-6). */
  readonly weights: readonly DialectWeight[]
}

/** The result of linting. */
export interface LintReport {
  /** False when a finding is an error or a warning. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly sets: readonly LintedSet[]
}

/** Options of {@link lint}. */
export interface LintOptions extends ConfigOptions {
  /** Updates the ratchet file of the budget before linting: `lower` only figures that fell, `accept` all. */
  readonly budget?: RatchetMode | undefined
}

/**
 * Checks definitions as generation does, and each dialect's output: all findings including notes, limits, losses, and sizes.
 * Writes nothing, except the figures of the budget with the option `budget`.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function lint(options: LintOptions): Promise<LintReport> {
  const read = await readModels(options)
  const count = await findTokenCounter(read[0]?.settings.root ?? '.')
  if (options.budget !== undefined) keepFigures(options.budget, read, count)
  const findings: Finding[] = []
  const sets: LintedSet[] = []
  for (const { settings, model, findings: own } of read) {
    // A model with errors is incomplete, so results of dialects could be wrong.
    const dialects = hasError(own) ? [] : emitDialects(model, settings)
    findings.push(...own, ...latentByDefault(model, settings), ...confusableTools(model))
    findings.push(...dialects.flatMap((dialect) => dialect.findings))
    const { weights, findings: ofBudget } = measureSet(dialects, model, settings, count)
    // Sizes of a set with errors mean nothing.
    if (!hasError(own)) findings.push(...ofBudget)
    sets.push({ output: settings.output, tools: model.tools.length, dialects, weights })
  }
  const ok = findings.every(({ severity }) => severity === 'note')
  return { ok, findings: sortFindings(findings), sets }
}
