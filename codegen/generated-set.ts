import { resolve } from 'node:path'
import { toolFacts } from '../runtime/schema/tool-facts.ts'
import type { Finding, GeneratedFile } from './model.ts'
import type { Phases } from './phases.ts'
import { hasError, type Implementations } from './report.ts'
import { expectedActivities } from './scaffold/expected-activities.ts'
import type { Settings } from './settings.ts'
import type { FileSystem } from './write/file-system.ts'
import type { OutputFolder } from './write/output-folder.ts'
import { planWrite, type WritePlan } from './write/plan.ts'

/** One set of definitions on its way to its output folder. */
export interface GeneratedSet {
  readonly settings: Settings
  readonly output: OutputFolder
  /** Empty when a definition is wrong. */
  readonly files: readonly GeneratedFile[]
  readonly tools: number
  readonly findings: readonly Finding[]
  readonly inputs: readonly string[]
  readonly packages: readonly string[]
  /** The Activities that have to be written here, and where. */
  readonly implementations: Implementations
}

/** Takes one set from its definition files to the files that belong in its output folder. */
export async function generateSet(settings: Settings, phases: Phases): Promise<GeneratedSet> {
  const loaded = await phases.load(settings)
  const built = phases.build(loaded)
  const findings = [...loaded.findings, ...built.findings, ...phases.check(built, loaded)]
  const emitted = hasError(findings) ? { files: [], findings: [] } : phases.emit(built.model, settings)
  return {
    settings,
    output: { absolute: resolve(settings.root, settings.output), shown: settings.output },
    files: emitted.files,
    tools: built.model.tools.length,
    findings: [...findings, ...emitted.findings],
    inputs: loaded.inputs,
    packages: loaded.packages,
    implementations: {
      root: settings.root,
      folder: settings.activitiesFolder,
      names: expectedActivities(built.model, settings).map(({ name }) => name),
      known: built.model.tools.map(({ name, schema }) => toolFacts(name, schema).activity ?? name),
    },
  }
}

/** What writing a set would do. A set that is wrong has no files to compare: its definitions come first. */
export function planSet(set: GeneratedSet, fileSystem: FileSystem): WritePlan {
  if (!hasError(set.findings)) return planWrite(set.files, set.output, fileSystem)
  return { folder: set.output.absolute, changes: [], unchanged: 0, findings: [] }
}

/** Absolute paths of a set's files. */
export function outputFiles(set: GeneratedSet): string[] {
  return set.files.map((file) => resolve(set.output.absolute, file.path))
}

/** Absolute paths of the folders and files that a set's definitions are looked for in. */
export function definitionPaths(set: GeneratedSet): string[] {
  return set.settings.definitions.map((path) => resolve(set.settings.root, path))
}
