import { type ConfigOptions, loadConfig } from './config/load-config.ts'
import type { Settings } from './config/settings.ts'
import { sortFindings } from './findings/finding-text.ts'
import type { Finding, Model } from './model.ts'
import { loadPhases, readSets } from './pipeline.ts'

/** One set of definitions, read and checked; nothing is emitted or written. */
export interface ReadSet {
  readonly settings: Settings
  /** As far as the definitions are right. */
  readonly model: Model
  readonly findings: readonly Finding[]
}

/**
 * Reads every set of definitions, for commands that look at them.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function readModels(options: ConfigOptions): Promise<ReadSet[]> {
  const { sets } = await loadConfig(options)
  const checked = await readSets(sets, await loadPhases())
  return checked.map(({ settings, checkedModel, findings }) => ({
    settings,
    model: checkedModel,
    findings: sortFindings(findings),
  }))
}
