import { type ConfigOptions, loadConfig } from './config/load-config.ts'
import { sortFindings } from './finding-text.ts'
import type { Finding, Model } from './model.ts'
import { loadPhases } from './phases.ts'
import type { Settings } from './settings.ts'

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
  const phases = await loadPhases()
  const read: ReadSet[] = []
  for (const settings of sets) {
    const loaded = await phases.load(settings)
    const built = phases.build(loaded)
    const findings = [...loaded.findings, ...built.findings, ...phases.check(built, loaded)]
    read.push({ settings, model: built.model, findings: sortFindings(findings) })
  }
  return read
}
