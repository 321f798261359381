import { resolve } from 'node:path'
import type { Settings } from './config/settings.ts'
import { namingDefinitions } from './definition-fault.ts'
import type { DialectOutput } from './emit/dialects.ts'
import { hasError } from './findings/has-error.ts'
import type { Finding, GeneratedFile, LoadedDefinition, Model } from './model.ts'
import type { FoundRegistrations } from './registrations/find-registrations.ts'
import type { FileSystem } from './write/file-system.ts'
import type { Patience } from './write/lock.ts'
import type { OutputFolder } from './write/output-folder.ts'
import { planWrite, type WritePlan } from './write/plan.ts'
import { writeFiles } from './write/write.ts'

/** Phase 1: the exports of the definition files, the project's registrations, and the inputs that were read. */
export interface Loaded {
  readonly settings: Settings
  readonly definitions: readonly LoadedDefinition[]
  readonly registered: FoundRegistrations
  readonly findings: readonly Finding[]
  /** Absolute paths of all files of the definitions, and of those that decide how their imports resolve. */
  readonly inputs: readonly string[]
  /** Absolute paths of the files of the definitions that were run, not only read. */
  readonly ran: readonly string[]
  /** Bare specifiers that the definitions import. */
  readonly packages: readonly string[]
  /** Absolute paths of the files of packages that the types of functions come from. */
  readonly packageFiles: readonly string[]
}

/** Phase 2: the model of all valid definitions. */
export interface Built {
  readonly loaded: Loaded
  readonly model: Model
  /** Findings of loading and building. */
  readonly findings: readonly Finding[]
}

/** Phase 3: the model with all findings about it. */
export interface Checked {
  readonly settings: Settings
  readonly loaded: Loaded
  readonly checkedModel: Model
  /** Findings of all phases so far, in order. */
  readonly findings: readonly Finding[]
}

/** Phase 4: the files of the output folder; none if a definition has an error. */
export interface Emitted {
  readonly checked: Checked
  readonly output: OutputFolder
  readonly files: readonly GeneratedFile[]
  /** The output of each dialect. */
  readonly dialects: readonly DialectOutput[]
  /** Findings of all phases, including those about the files, such as a dialect's limits. */
  readonly findings: readonly Finding[]
}

/** Phase 5: the changes that were, or would be, written. */
export interface Written {
  readonly emitted: Emitted
  readonly plan: WritePlan
}

/** The phases before writing. Each takes the result of the one before it, so skipping one does not compile. */
export interface Phases {
  load(settings: Settings): Promise<Loaded>
  build(loaded: Loaded): Built
  check(built: Built): Checked
  emit(checked: Checked): Emitted
}

/** Reads and checks every set of definitions, one after the other; nothing is emitted or written. */
export async function readSets(sets: readonly Settings[], phases: Phases): Promise<Checked[]> {
  const read: Checked[] = []
  for (const settings of sets) read.push(phases.check(phases.build(await phases.load(settings))))
  return read
}

/** Runs every set from its definitions to the files of its output folder. */
export async function emitSets(sets: readonly Settings[], phases: Phases): Promise<Emitted[]> {
  const checked = await readSets(sets, phases)
  return checked.map((set) => phases.emit(set))
}

/** Plans the changes of writing. A set with errors has no files to compare: its definitions have to be fixed first. */
export function planSets(sets: readonly Emitted[], fileSystem: FileSystem): Written[] {
  return sets.map((emitted) => ({
    emitted,
    plan: hasError(emitted.findings)
      ? { folder: emitted.output.absolute, changes: [], unchanged: 0, findings: [] }
      : planWrite(emitted.files, emitted.output, fileSystem),
  }))
}

/** Writes the planned changes of all sets or, if there is an error anywhere, of none. */
export async function writeSets(
  planned: readonly Written[],
  fileSystem: FileSystem,
  patience: Patience,
): Promise<Written[]> {
  const isWrong = planned.some(({ emitted, plan }) => hasError([...emitted.findings, ...plan.findings]))
  if (isWrong) return planned.map(({ emitted, plan }) => ({ emitted, plan: { ...plan, changes: [] } }))
  const written: Written[] = []
  for (const { emitted, plan } of planned) {
    const { files, output } = emitted
    written.push({ emitted, plan: await writeFiles(files, output, fileSystem, patience, plan) })
  }
  return written
}

/** Loads the phases lazily: a run that finds everything up to date does not need them. */
export async function loadPhases(): Promise<Phases> {
  const [
    { loadDefinitions },
    { resolutionFiles },
    { addFunctions },
    { findRegistrations },
    { buildModel },
    { checkSet },
    { onePerMistake },
    { emit },
    { emitDialects },
  ] = await Promise.all([
    import('./load/load-definitions.ts'),
    import('./load/resolution-files.ts'),
    import('./functions/add-functions.ts'),
    import('./registrations/find-registrations.ts'),
    import('./build/build-model.ts'),
    import('./check/check-set.ts'),
    import('./check/one-per-mistake.ts'),
    import('./emit/emit.ts'),
    import('./emit/dialects.ts'),
  ])
  return {
    async load(settings) {
      const loaded = await addFunctions(await loadDefinitions(settings), settings.root)
      const registered = findRegistrations(settings)
      const resolution = resolutionFiles(loaded.inputs, settings.root)
      const inputs = [...new Set([...loaded.inputs, ...resolution, ...registered.inputs])]
      const findings = [...loaded.findings, ...registered.findings]
      return { ...loaded, findings, inputs, settings, registered }
    },
    build(loaded) {
      const { model, findings } = namingDefinitions(loaded.definitions, (definitions) =>
        buildModel(definitions, implementations(loaded), loaded.settings.meta),
      )
      return { loaded, model, findings: [...loaded.findings, ...findings] }
    },
    check({ loaded, model, findings }) {
      const { settings, definitions, registered } = loaded
      const isWhole = !hasError(findings)
      const checked = namingDefinitions(model.tools, (tools) =>
        checkSet({ ...model, tools }, { settings, definitions, registered, isWhole }),
      )
      return { settings, loaded, checkedModel: model, findings: onePerMistake(findings, checked) }
    },
    emit(checked) {
      const { settings, checkedModel, findings } = checked
      const output = { absolute: resolve(settings.root, settings.output), shown: settings.output }
      if (hasError(findings)) return { checked, output, files: [], dialects: [], findings }
      const { files, dialects } = namingDefinitions(checkedModel.tools, (tools) => {
        const model = { ...checkedModel, tools }
        const dialects = emitDialects(model, settings)
        return { files: emit(model, settings, dialects), dialects }
      })
      return {
        checked,
        output,
        files,
        dialects,
        findings: [...findings, ...dialects.flatMap((dialect) => dialect.findings)],
      }
    },
  }
}

/** Maps each registered Activity to its (first) file. Those that the configuration declares are implemented elsewhere. */
function implementations({ settings, registered }: Loaded): ReadonlyMap<string, string> {
  const { activities } = settings
  if (activities === 'same-name') return new Map()
  const found = registered.registrations.filter(({ name }) => !activities?.includes(name))
  return new Map(found.toReversed().map(({ name, at }) => [name, at.file]))
}
