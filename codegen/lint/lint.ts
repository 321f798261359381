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

/** One set of definitions, looked at in every configured dialect. */
export interface LintedSet {
  /** The output folder, which names the set. */
  readonly output: string
  readonly tools: number
  readonly dialects: readonly DialectOutput[]
  /** Where bytes and tokens go, dialect by dialect, the largest Tool first (DIFF-6). */
  readonly weights: readonly DialectWeight[]
}

/** What there is to say about definitions. */
export interface LintReport {
  /** False when a finding is an error or a warning. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly sets: readonly LintedSet[]
}

/** What to look at, and whether to keep figures. */
export interface LintOptions extends ConfigOptions {
  /** Writes the ratchet file of the budget before looking: with the figures that fell, or with all of them. */
  readonly budget?: RatchetMode | undefined
}

/**
 * Looks at definitions as generation would, and at what each dialect makes of them: findings down to the notes, limits and
 * losses, and where tokens go. Writes nothing, except figures of the budget where it is asked to.
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
    // A model with errors is not whole: what dialects would say of it could be wrong.
    const dialects = hasError(own) ? [] : emitDialects(model, settings)
    findings.push(...own, ...latentByDefault(model, settings), ...confusableTools(model))
    findings.push(...dialects.flatMap((dialect) => dialect.findings))
    const { weights, findings: ofBudget } = measureSet(dialects, model, settings, count)
    // A set that is wrong weighs what it weighs once it is right.
    if (!hasError(own)) findings.push(...ofBudget)
    sets.push({ output: settings.output, tools: model.tools.length, dialects, weights })
  }
  const ok = findings.every(({ severity }) => severity === 'note')
  return { ok, findings: sortFindings(findings), sets }
}
