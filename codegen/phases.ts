import { addFunctions } from './functions/add-functions.ts'
import type { Finding, GeneratedFile, LoadedDefinition, Model } from './model.ts'
import type { Settings } from './settings.ts'

/** Phase 1: what the definition files export, and what was read to find out. */
export interface Loaded {
  readonly definitions: readonly LoadedDefinition[]
  readonly findings: readonly Finding[]
  /** Absolute paths of every file read. */
  readonly inputs: readonly string[]
  /** Bare specifiers that the definitions import. */
  readonly packages: readonly string[]
}

/** Phase 2: the model, as far as the definitions are right. */
export interface Built {
  readonly model: Model
  readonly findings: readonly Finding[]
}

/** Phase 4: the files, and what is to be said about them (a dialect's limits, say). */
export interface Emitted {
  readonly files: readonly GeneratedFile[]
  readonly findings: readonly Finding[]
}

/** The phases before writing, in their order. */
export interface Phases {
  load(settings: Settings): Promise<Loaded>
  build(loaded: Loaded): Built
  check(built: Built, loaded: Loaded): readonly Finding[]
  emit(model: Model, settings: Settings): Emitted
}

/** Loads the phases when they are needed: a run that finds everything fresh starts without them. */
export async function loadPhases(): Promise<Phases> {
  const [{ loadDefinitions }, { buildModel }, { checkModel }, { emit }, { emitDialects }] = await Promise.all(
    [
      import('./load/load-definitions.ts'),
      import('./build/build-model.ts'),
      import('./check/check-model.ts'),
      import('./emit/emit.ts'),
      import('./emit/dialects.ts'),
    ],
  )
  return {
    load: async (settings) => addFunctions(await loadDefinitions(settings), settings.root),
    build: (loaded) => buildModel(loaded.definitions),
    check: (built, loaded) => checkModel(built.model, loaded.definitions),
    emit: (model, settings) => {
      const dialects = emitDialects(model, settings)
      return {
        files: emit(model, settings, dialects),
        findings: dialects.flatMap(({ findings }) => findings),
      }
    },
  }
}
