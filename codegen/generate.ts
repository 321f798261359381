import { resolve } from 'node:path'
import { freshResult, type RunInputs, recordPath, recordRun } from './cache/run-record.ts'
import { type ConfigOptions, type LoadedConfig, loadConfig } from './config/load-config.ts'
import { definitionPaths, type GeneratedSet, generateSet, outputFiles, planSet } from './generated-set.ts'
import { loadPhases, type Phases } from './phases.ts'
import { hasError, type Report } from './report.ts'
import { reportOf } from './report-of.ts'
import { type FileSystem, realFileSystem } from './write/file-system.ts'
import { defaultPatience, type Patience } from './write/lock.ts'
import type { WritePlan } from './write/plan.ts'
import { writeFiles } from './write/write.ts'

/** How to run the generator. */
export interface GenerateOptions extends ConfigOptions {
  /** `false` does all the work even when no input has changed since the last run. Default: true. */
  readonly cache?: boolean
}

/** What a run works with; tests put other parts in. */
export interface Machinery {
  readonly phases: () => Promise<Phases>
  readonly fileSystem: FileSystem
  readonly patience: Patience
}

const realMachinery: Machinery = { phases: loadPhases, fileSystem: realFileSystem, patience: defaultPatience }

/**
 * Generates: reads the definitions of every set and makes its output folder hold what they give, all or nothing. A wrong
 * definition is a finding in the report, and then nothing is written; files that are right already are not touched.
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
  const startedAt = Date.now()
  const record = recordOf(options)
  const fresh = freshReport(record, options)
  if (fresh) return fresh

  const config = await loadConfig(options)
  const sets = await generateSets(config, machinery)
  const plans = sets.map((set) => planSet(set, machinery.fileSystem))
  const wrong = reportOf(config, sets, plans)
  if (hasError(wrong.findings)) return { ...wrong, ok: false, changes: [] }

  const written: WritePlan[] = []
  const { fileSystem, patience } = machinery
  for (const [index, { files, output }] of sets.entries())
    written.push(await writeFiles(files, output, fileSystem, patience, plans[index]))
  const report = reportOf(config, sets, written)
  if (report.ok && options.cache !== false) {
    const { tools, findings, implementations } = report
    recordRun(record, runInputs(config, sets, startedAt), {
      tools,
      findings,
      implementations,
      files: sets.flatMap(outputFiles).length,
    })
  }
  return report
}

/**
 * Says what {@link generate} would do, and writes nothing: `ok` is false when a file is stale (`changes` has both texts)
 * or a definition is wrong.
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
  const fresh = freshReport(recordOf(options), options)
  if (fresh) return fresh

  const config = await loadConfig(options)
  const sets = await generateSets(config, machinery)
  const report = reportOf(
    config,
    sets,
    sets.map((set) => planSet(set, machinery.fileSystem)),
  )
  return { ...report, ok: report.ok && report.changes.length === 0 }
}

/** The sets one after the other: they share the machine, and their findings keep their order. */
async function generateSets(config: LoadedConfig, machinery: Machinery): Promise<GeneratedSet[]> {
  const phases = await machinery.phases()
  const sets: GeneratedSet[] = []
  for (const settings of config.sets) sets.push(await generateSet(settings, phases))
  return sets
}

function recordOf(options: GenerateOptions): string {
  return recordPath(resolve(options.cwd ?? '.'), options.config)
}

/** The report of a run that need not be made, since the last one left everything as it still is. */
function freshReport(record: string, options: GenerateOptions): Report | undefined {
  const result = options.cache === false ? undefined : freshResult(record)
  if (result === undefined) return undefined
  const { tools, findings, files, implementations } = result
  return {
    ok: true,
    findings,
    changes: [],
    unchanged: files,
    tools,
    inputs: [],
    definitions: [],
    outputs: [],
    implementations,
  }
}

function runInputs(config: LoadedConfig, sets: readonly GeneratedSet[], startedAt: number): RunInputs {
  return {
    root: config.root,
    startedAt,
    files: [...new Set([...config.inputs, ...sets.flatMap((set) => set.inputs)])],
    packages: [...new Set(sets.flatMap((set) => set.packages))],
    definitionFolders: sets.flatMap(definitionPaths),
    outputs: sets.flatMap(outputFiles),
  }
}
