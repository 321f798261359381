import { type ConfigOptions, loadConfig } from './config/load-config.ts'
import type { Settings } from './config/settings.ts'
import { faultsOf, sortFindings } from './findings/finding-text.ts'
import { GeneratorError } from './generator-error.ts'
import type { Finding, LoadedDefinition, Model, SourcePosition } from './model.ts'
import { loadPhases, readSets } from './pipeline.ts'

/** One set of definitions, read and checked; nothing is emitted or written. */
export interface ReadSet {
  readonly settings: Settings
  /** The model of all valid definitions. */
  readonly model: Model
  readonly findings: readonly Finding[]
  /** Finds the position of a part of a Tool's definition, by JSON pointer into its schema; computed on demand. */
  locate(tool: string, pointer: string): SourcePosition
}

/**
 * Reads every set of definitions, for commands that only read.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function readModels(options: ConfigOptions): Promise<ReadSet[]> {
  const { sets } = await loadConfig(options)
  const checked = await readSets(sets, await loadPhases())
  return checked.map(({ settings, loaded, checkedModel, findings }) => ({
    settings,
    model: checkedModel,
    findings: sortFindings(findings),
    locate: locator(loaded.definitions, checkedModel),
  }))
}

/**
 * Checks that there is at least one Tool. If no definition could be read, other messages would only confuse.
 *
 * @throws GeneratorError `cannot_read` with the errors of the definitions.
 */
export function requireTools(sets: readonly ReadSet[]): void {
  if (sets.some(({ model }) => model.tools.length > 0)) return
  const errors = sets.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  throw new GeneratorError('cannot_read', faultsOf(sortFindings(errors)))
}

function locator(definitions: readonly LoadedDefinition[], model: Model): ReadSet['locate'] {
  const loaded = new Map(definitions.map((definition) => [definition.name, definition]))
  return (tool, pointer) => {
    const definition = loaded.get(tool)
    const at = definition?.at ?? model.tools.find(({ name }) => name === tool)?.at
    return definition?.locate?.(pointer) ?? at ?? { file: '', line: 1, column: 1 }
  }
}
