import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { Finding } from '../model.ts'
import type { RegistrationScope } from '../registrations/searched-sources.ts'
import type { Implementations } from '../report/report.ts'
import { readIfPresent, realFileSystem, systemCode } from '../write/file-system.ts'
import { clockGrain, compareFile, type FileState, fileState } from './file-state.ts'
import { type FolderState, folderState, foldersBelow } from './folder-state.ts'
import { generatorIdentity } from './generator-identity.ts'
import { arePure, packageFiles } from './input-purity.ts'
import { sourceState } from './source-state.ts'

/** The result of a run, which a later run with the same inputs can reuse. */
export interface RunResult {
  readonly tools: number
  readonly files: number
  readonly findings: readonly Finding[]
  readonly implementations: readonly Implementations[]
}

/** Everything that a run's output depends on, and the output itself. All paths are absolute. */
export interface RunInputs {
  readonly root: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The configuration's files, whether they exist or not, and the files of the definitions. */
  readonly files: readonly string[]
  /** Those of them that were run, not only read. */
  readonly ran: readonly string[]
  /** Bare specifiers that the configuration and the definitions import. */
  readonly packages: readonly string[]
  readonly definitionFolders: readonly string[]
  /** Where registrations were searched. */
  readonly searches: readonly RegistrationScope[]
  readonly outputs: readonly string[]
}

interface KeptResult {
  readonly generator: string
  readonly savedAt: number
  readonly files: readonly FileState[]
  readonly folders: readonly FolderState[]
  readonly searches: readonly RegistrationScope[]
  /** The state of the searched sources. */
  readonly sources: string
  readonly result: RunResult
}

/** Files that package managers change with every installation, in the project or above it (in a workspace). */
const installations = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
]

/** Returns the cache file for one combination of options: outside the output and ignored by git. */
export function keptPath(root: string, way: unknown): string {
  const name = createHash('sha256')
    .update(JSON.stringify([root, way]))
    .digest('hex')
    .slice(0, 16)
  const modules = join(root, 'node_modules')
  return existsSync(modules)
    ? join(modules, '.cache', 'callsheet', `${name}.json`)
    : join(root, '.callsheet', `${name}.json`)
}

/**
 * Returns the cached result if neither its inputs nor its output have changed since. Compares file times, without loading
 * the definitions or the generator. undefined if the generator has to run.
 */
export function freshResult(path: string): RunResult | undefined {
  const kept = readKept(path)
  if (kept === undefined || kept.generator !== generatorIdentity()) return undefined
  let touched = false
  for (const file of kept.files) {
    const comparison = compareFile(file, kept.savedAt)
    if (comparison === 'different') return undefined
    if (comparison === 'touched') touched = true
  }
  if (kept.folders.some((folder) => folderState(folder.path).names !== folder.names)) return undefined
  if (sourceState(kept.searches).mark !== kept.sources) return undefined
  if (touched)
    save(path, {
      ...kept,
      savedAt: Date.now(),
      files: kept.files.map((file) => fileState(file.path)),
    })
  return kept.result
}

/**
 * Caches the result of a successful run. Nothing is cached if a later check of the files could miss a change: definitions
 * that read the environment, linked packages, files edited during the run.
 */
export function keepResult(path: string, inputs: RunInputs, result: RunResult): void {
  const packages = packageFiles(inputs.packages, inputs.root)
  if (packages === undefined || !arePure(inputs.ran)) return
  const savedAt = Date.now()
  const installed = foldersAbove(inputs.root).flatMap((folder) =>
    installations.map((file) => join(folder, file)),
  )
  const sources = [...inputs.files, ...packages, ...installed].map(fileState)
  const searched = sourceState(inputs.searches)
  const latest = Math.max(searched.changed, ...sources.map((file) => file.changed))
  if (latest > inputs.startedAt - clockGrain) return
  const folders = new Set([
    ...inputs.files.filter((file) => existsSync(file)).map((file) => dirname(file)),
    ...inputs.definitionFolders.flatMap(foldersBelow),
    ...inputs.outputs.map((file) => dirname(file)),
  ])
  save(path, {
    generator: generatorIdentity(),
    savedAt,
    files: [...sources, ...inputs.outputs.map(fileState)],
    folders: [...folders].map(folderState),
    searches: inputs.searches.map(({ root, output, otherOutputs, activitiesFolder }) => {
      return { root, output, otherOutputs, activitiesFolder }
    }),
    sources: searched.mark,
    result,
  })
}

/** Lists a folder and all its ancestors. */
function foldersAbove(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}

function readKept(path: string): KeptResult | undefined {
  const text = readIfPresent(path, realFileSystem)
  if (text === undefined) return undefined
  try {
    const data: unknown = JSON.parse(text)
    const whole =
      isJsonObject(data) &&
      Array.isArray(data.files) &&
      Array.isArray(data.folders) &&
      Array.isArray(data.searches) &&
      isJsonObject(data.result)
    return whole ? (data as unknown as KeptResult) : undefined // only `save` writes this file
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Saves a result. Failure is ignored, for example in a read-only project: only speed depends on the cache. */
function save(path: string, kept: KeptResult): void {
  const folder = dirname(path)
  const temporary = `${path}.${randomUUID()}`
  try {
    mkdirSync(folder, { recursive: true })
    if (folder.endsWith('.callsheet')) writeFileSync(join(folder, '.gitignore'), '*\n')
    writeFileSync(temporary, JSON.stringify(kept))
    renameSync(temporary, path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
