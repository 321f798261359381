import type { ConfigOptions } from '../config/load-config.ts'
import { type DialectOutput, emitDialects } from '../emit/dialects.ts'
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
}

/** What there is to say about definitions. */
export interface LintReport {
  /** False when a finding is an error or a warning. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly sets: readonly LintedSet[]
}

/**
 * Looks at definitions as generation would, and at what each dialect makes of them: findings down to the notes, limits and
 * losses. Writes nothing.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function lint(options: ConfigOptions): Promise<LintReport> {
  const findings: Finding[] = []
  const sets: LintedSet[] = []
  for (const { settings, model, findings: own } of await readModels(options)) {
    // A model with errors is not whole: what dialects would say of it could be wrong.
    const dialects = hasError(own) ? [] : emitDialects(model, settings)
    findings.push(...own, ...latentByDefault(model, settings), ...confusableTools(model))
    findings.push(...dialects.flatMap((dialect) => dialect.findings))
    sets.push({ output: settings.output, tools: model.tools.length, dialects })
  }
  const ok = findings.every(({ severity }) => severity === 'note')
  return { ok, findings: sortFindings(findings), sets }
}
