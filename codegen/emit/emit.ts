import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { emitApi } from './api.ts'
import { emitContract } from './contract-file.ts'
import { emitDeclarationMap } from './declaration-map.ts'
import { emitDefinitions } from './definitions-file.ts'
import { type DialectOutput, emitDialects } from './dialects.ts'
import { emitFunctions } from './functions-file.ts'
import { emitIdeas } from './ideas-file.ts'
import { emitIndex } from './index-file.ts'
import { manifestFile } from './manifest.ts'
import { emitRegistry } from './registry-file.ts'
import { emitSchemas } from './schemas-file.ts'
import { emitSearchIndex } from './search-index.ts'
import { emitToolModule } from './tool-module.ts'
import { emitTypes } from './types.ts'

/** Phase 4: emits all files of a model. Pure. A new output is a new emitter and one line here. */
export function emit(
  model: Model,
  settings: Settings,
  dialects: readonly DialectOutput[] = emitDialects(model, settings),
): GeneratedFile[] {
  const types = emitTypes(model, settings)
  const files = [
    types,
    ...(settings.declarationMaps ? [emitDeclarationMap(model, settings, types)] : []),
    emitApi(model, settings),
    emitIndex(model, settings),
    emitRegistry(model, settings),
    emitSchemas(model),
    emitSearchIndex(model),
    emitContract(model),
    ...emitDefinitions(model),
    ...emitFunctions(model, settings),
    ...emitIdeas(model),
    ...model.tools.map((tool) => emitToolModule(tool, model, settings)),
    ...dialects.flatMap(({ file }) => file ?? []),
  ]
  return [...files, manifestFile(model, files)]
}
