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

/** A project loaded into this process: its generated registry, with the files that register its Activities. */
export interface LoadedProject {
  readonly Tool: ServableTool
  /** The imported files besides the generated ones, relative to the project. */
  readonly activityFiles: readonly string[]
  /** The exports of the additional files, by the requested paths. */
  readonly exports: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** What to load of a project. */
export interface ProjectOptions extends ConfigOptions {
  /** Additional files to load, relative to `cwd` or to the project. */
  readonly files?: readonly string[] | undefined
  /** `contract`: does not load the files that register Activities. Default: `all`. */
  readonly parts?: 'all' | 'contract' | undefined
  /** The output folder of the set to load, if the configuration has several. */
  readonly output?: string | undefined
}

/**
 * Loads a project as its own program would: the generated wiring, and the files that register its Activities (ACT-3b).
 *
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function loadProject(options: ProjectOptions): Promise<LoadedProject> {
  const { root, sets } = await loadConfig(options)
  const settings = setOf(sets, options.output)
  const index = join(settings.output, 'index.ts')
  if (!existsSync(join(root, index))) {
    throw new GeneratorError('cannot_read', [
      {
        message: `There is no ${index}.`,
        fix: 'Generate it: npx callsheet generate. If another package declares the Tools, pass its folder with --cwd.',
      },
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

/** Resolves an additional file to a path relative to the project's root. */
function furtherFile(file: string, root: string, cwd = '.'): string {
  const found = [resolve(cwd, file), resolve(root, file)].find((path) => existsSync(path))
  if (found !== undefined) return portablePath(realpathSync(root), realpathSync(found))
  throw new GeneratorError('invalid_usage', [
    { message: `The file ${file} does not exist.`, fix: `Use a path relative to ${resolve(cwd)}.` },
  ])
}

/** Finds the files that register Activities. */
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
  // The definitions' usual fix does not fit: Activities, unlike definitions, may use servers and the environment.
  const fix = 'Correct it, or start what it needs: the file runs here as it does in your own program.'
  return new GeneratorError(
    'cannot_read',
    faultsOf(findings.map((finding) => (finding.fix === fixOfThrown ? { ...finding, fix } : finding))),
  )
}
