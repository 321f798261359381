import { resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import type { DialectOutput } from '../emit/dialects.ts'
import type { CountTokens } from '../explain/token-counter.ts'
import type { Finding, Model } from '../model.ts'
import { realFileSystem } from '../write/file-system.ts'
import { budgetFindings } from './budget-findings.ts'
import { ratchetFindings, readRatchet } from './ratchet.ts'
import { type DialectWeight, weighDialect } from './weigh.ts'

/** The sizes of one set of definitions, and the limits that it exceeds. */
export interface MeasuredSet {
  readonly weights: readonly DialectWeight[]
  readonly findings: readonly Finding[]
}

/**
 * Measures a set in each dialect and compares it with its budget (DIFF-6).
 *
 * @throws GeneratorError `invalid_config` if the ratchet file cannot be read.
 */
export function measureSet(
  dialects: readonly DialectOutput[],
  model: Model,
  settings: Settings,
  count: CountTokens | undefined,
): MeasuredSet {
  const names = model.tools.map(({ name }) => name)
  const weights = dialects.flatMap((output) => weighDialect(output, names, count) ?? [])
  const { budget, root, output } = settings
  const findings = budgetFindings(weights, budget, model)
  if (budget.ratchet === undefined) return { weights, findings }
  const ratchet = readRatchet(resolve(root, budget.ratchet), realFileSystem)
  return {
    weights,
    findings: [...findings, ...ratchetFindings(weights, ratchet?.[output], budget.ratchet, model)],
  }
}
