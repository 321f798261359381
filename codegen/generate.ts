import { resolve } from 'node:path'
import { isJsonObject } from '../runtime/json/json.ts'
import { flag, isString, someText } from '../runtime/problems/field-rule.ts'
import { type OptionRules, optionProblems } from '../runtime/problems/option-problems.ts'
import { freshResult, keepResult, keptPath, type RunInputs, type RunResult } from './cache/kept-result.ts'
import { type ConfigOptions, type LoadedConfig, loadConfig } from './config/load-config.ts'
import { GeneratorError } from './generator-error.ts'
import {
  type Emitted,
  emitSets,
  loadPhases,
  type Phases,
  planSets,
  type Written,
  writeSets,
} from './pipeline.ts'
import type { Report } from './report/report.ts'
import { definitionPaths, outputFiles, reportOf } from './report/report-of.ts'
import { type FileSystem, realFileSystem } from './write/file-system.ts'
import { defaultPatience, type Patience } from './write/lock.ts'

/** How to run the generator. */
export interface GenerateOptions extends ConfigOptions {
  /** `false` runs the generator even if no input has changed since the last run. Default: true. */
  readonly cache?: boolean | undefined
}

/** The dependencies of a run; tests replace them. */
export interface Machinery {
  readonly phases: () => Promise<Phases>
  readonly fileSystem: FileSystem
  readonly patience: Patience
}

const realMachinery: Machinery = { phases: loadPhases, fileSystem: realFileSystem, patience: defaultPatience }

/**
 * Generates code: reads the definitions of every set and updates its output folder, all files or none. An error in a
 * definition becomes a finding in the report, and then nothing is written. Files that are up to date are not touched.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`, `cannot_write`, `locked`.
 * @example
 * const report = await generate({ cwd: 'packages/contract' })
 * if (!report.ok) console.error(report.findings)
 */
export async function generate(
  options: GenerateOptions = {},
  machinery: Machinery = realMachinery,
): Promise<Report> {
  requireOptions(options)
  const startedAt = Date.now()
  const kept = keptPath(resolve(options.cwd ?? '.'), options.config)
  const fresh = options.cache === false ? undefined : freshResult(kept)
  if (fresh) return unchangedReport(fresh)

  const { fileSystem, patience } = machinery
  const { config, emitted } = await emitProject(options, machinery)
  const written = await writeSets(planSets(emitted, fileSystem), fileSystem, patience)
  const report = reportOf(config, written)
  if (report.ok && options.cache !== false) {
    const { tools, findings, implementations } = report
    keepResult(kept, runInputs(config, emitted, startedAt), {
      tools,
      findings,
      implementations,
      files: emitted.flatMap(outputFiles).length,
    })
  }
  return report
}

/**
 * Returns what {@link generate} would do, without writing: `ok` is false if a file is stale (`changes` has both texts) or a
 * definition has an error. Never uses the cache: a definition can depend on more than files.
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 * @example
 * const { ok, changes } = await check()
 * if (!ok) console.error(`Stale: ${changes.map((change) => change.path).join(', ')}. Run callsheet generate.`)
 */
export async function check(
  options: GenerateOptions = {},
  machinery: Machinery = realMachinery,
): Promise<Report> {
  requireOptions(options)
  const { config, emitted } = await emitProject(options, machinery)
  const planned = planSets(emitted, machinery.fileSystem)
  const report = reportOf(config, await withBudgetFindings(planned, config.root))
  return { ...report, ok: report.ok && report.changes.length === 0 }
}

const optionRules: OptionRules<GenerateOptions> = {
  cwd: someText,
  config: [
    (value) => isJsonObject(value) || (isString(value) && value !== ''),
    'a configuration, or the path of one',
  ],
  cache: flag,
}

/** @throws GeneratorError `invalid_usage` for invalid options, which would otherwise be ignored. */
function requireOptions(options: unknown): void {
  const problems = optionProblems(options, optionRules)
  if (problems.length === 0) return
  const faults = problems.map(({ message }) => ({
    message: `The options cannot be used: ${message}.`,
    fix: 'Options are { cwd, config, cache }.',
  }))
  throw new GeneratorError('invalid_usage', faults)
}

/** Adds the findings about budgets, for the sets that have one (DIFF-6). */
async function withBudgetFindings(sets: readonly Written[], root: string): Promise<readonly Written[]> {
  if (sets.every(({ emitted }) => Object.keys(emitted.checked.settings.budget).length === 0)) return sets
  const [{ measureSet }, { findTokenCounter }] = await Promise.all([
    import('./budget/measured-set.ts'),
    import('./explain/token-counter.ts'),
  ])
  const count = await findTokenCounter(root)
  return sets.map(({ emitted, plan }) => {
    const { settings, checkedModel } = emitted.checked
    const { findings } = measureSet(emitted.dialects, checkedModel, settings, count)
    return { emitted: { ...emitted, findings: [...emitted.findings, ...findings] }, plan }
  })
}

/** Loads the configuration and emits the files of every set. */
async function emitProject(
  options: ConfigOptions,
  machinery: Machinery,
): Promise<{ readonly config: LoadedConfig; readonly emitted: readonly Emitted[] }> {
  const config = await loadConfig(options)
  return { config, emitted: await emitSets(config.sets, await machinery.phases()) }
}

/** Creates the report of a run that is skipped because nothing has changed since the last one. */
function unchangedReport({ tools, findings, files, implementations }: RunResult): Report {
  return {
    ok: true,
    findings,
    changes: [],
    unchanged: files,
    tools,
    inputs: [],
    sourceFolders: [],
    passedNames: [],
    definitions: [],
    outputs: [],
    implementations,
  }
}

function runInputs(config: LoadedConfig, sets: readonly Emitted[], startedAt: number): RunInputs {
  const checked = sets.map((set) => set.checked)
  const loaded = checked.map((set) => set.loaded)
  return {
    root: config.root,
    startedAt,
    files: [
      ...new Set([
        ...config.inputs,
        ...loaded.flatMap(({ inputs, packageFiles }) => [...inputs, ...packageFiles]),
      ]),
    ],
    ran: [...config.inputs, ...loaded.flatMap(({ ran }) => ran)],
    packages: [...new Set([...config.packages, ...loaded.flatMap(({ packages }) => packages)])],
    definitionFolders: checked.flatMap(definitionPaths),
    searches: config.sets,
    outputs: sets.flatMap(outputFiles),
  }
}
