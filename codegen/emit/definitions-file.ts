import type { GeneratedFile, Model } from '../model.ts'
import { SourceFile } from '../print/source-file.ts'
import { compileDefinition } from '../validators/compile.ts'
import { definitionStep } from '../validators/print-check.ts'

const wiring = 'callsheet/wiring'

/** Emits `definitions.ts`: the checks of shared schemas, once for all Tools that refer to them (TOOL-7). */
export function emitDefinitions(model: Model): GeneratedFile[] {
  const names = Object.keys(model.definitions)
  if (names.length === 0) return []
  const file = new SourceFile('definitions.ts', names.map(definitionStep))
  file.importType('Step', wiring)
  for (const name of names) {
    const compiled = compileDefinition(name, model.definitions)
    for (const helper of compiled.helpers) file.importValue(helper, wiring)
    if (compiled.formats.length > 0) file.importValue('format', 'callsheet/formats')
    file.add(`export const ${definitionStep(name)}: Step = ${compiled.code}`)
  }
  return [file.done()]
}
