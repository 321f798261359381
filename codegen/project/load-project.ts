import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ServableTool } from '../../runtime/server/served-tools.ts'
import { type ConfigOptions, loadConfig } from '../config/load-config.ts'
import type { Settings } from '../config/settings.ts'
import { faultsOf } from '../findings/finding-text.ts'
import { GeneratorError } from '../generator-error.ts'
import { evaluateFiles, fixOfThrown } from '../load/evaluate-files.ts'
import type { Finding } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'
import { findRegistrations } from '../registrations/find-registrations.ts'

/** A project that runs in this process: its generated registry, and every file that registers an Activity for it. */
export interface LoadedProject {
  readonly Tool: ServableTool
  /** The files that were imported beside the generated ones, relative to the project. */
  readonly activityFiles: readonly string[]
  /** The exports of files that were asked for besides, by the names by which they were asked for. */
  readonly exports: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** What to load beside the project's own files. */
export interface ProjectOptions extends ConfigOptions {
  /** Files relative to `cwd`, or to the project, evaluated with it. */
  readonly files?: readonly string[] | undefined
  /** `contract`: without the files that register Activities, of whose code nothing runs then. Default: all. */
  readonly parts?: 'all' | 'contract' | undefined
  /** The output folder of the set, where the configuration has several. */
  readonly output?: string | undefined
}

/**
 * Loads a project as it would load itself: its generated wiring, and the files in which its Activities are registered (ACT-3b).
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function loadProject(options: ProjectOptions): Promise<LoadedProject> {
  const { root, sets } = await loadConfig(options)
  const settings = setOf(sets, options.output)
  const index = join(settings.output, 'index.ts')
  if (!existsSync(join(root, index))) {
    throw new GeneratorError('cannot_read', [
      { message: `There is no ${index}.`, fix: 'Generate it: npx callsheet generate.' },
    ])
  }
  const activityFiles = options.parts === 'contract' ? [] : activityFilesOf(root, settings)
  const further = new Map((options.files ?? []).map((file) => [file, furtherFile(file, root, options.cwd)]))
  const files = [index, ...activityFiles, ...further.values()]
  const { exports, findings } = await evaluateFiles(realpathSync(root), files)
  if (findings.length > 0) throw cannotRun(findings)
  const asked = [...further].map(([name, file]) => [name, exports.get(file) ?? {}] as const)
  return { Tool: exports.get(index)?.Tool as ServableTool, activityFiles, exports: new Map(asked) }
}

/** A file that was asked for, relative to the project's root. */
function furtherFile(file: string, root: string, cwd = '.'): string {
  const found = [resolve(cwd, file), resolve(root, file)].find((path) => existsSync(path))
  if (found !== undefined) return portablePath(realpathSync(root), realpathSync(found))
  throw new GeneratorError('invalid_usage', [
    { message: `The file ${file} does not exist.`, fix: `Name it as it is seen from ${resolve(cwd)}.` },
  ])
}

/** The files in which Activities are registered. */
function activityFilesOf(root: string, settings: Settings): string[] {
  const { registrations, computed } = findRegistrations(settings)
  const files = new Set([...registrations.map(({ at }) => at), ...computed].map(({ file }) => file))
  const functions = join(settings.output, 'functions.ts')
  if (existsSync(join(root, functions))) files.add(functions)
  return [...files]
}

function setOf(sets: readonly Settings[], output: string | undefined): Settings {
  const wanted = output === undefined ? sets : sets.filter((set) => set.output === output)
  const [settings, ...more] = wanted
  if (settings && more.length === 0) return settings
  const known = sets.map((set) => set.output).join(', ')
  throw new GeneratorError('invalid_usage', [
    {
      message: settings
        ? `This project has several sets of Tools: ${known}.`
        : `No set is generated into ${output}.`,
      fix: `Say which by its output folder: --set ${sets[0]?.output ?? 'generated'}.`,
    },
  ])
}

function cannotRun(findings: readonly Finding[]): GeneratorError {
  // A project is loaded to run: what a definition must do without, its Activities may need.
  const fix = 'Correct it, or start what it needs: the file runs here as it does in your own program.'
  return new GeneratorError(
    'cannot_read',
    faultsOf(findings.map((finding) => (finding.fix === fixOfThrown ? { ...finding, fix } : finding))),
  )
}
