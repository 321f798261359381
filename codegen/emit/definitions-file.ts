import type { GeneratedFile, Model } from '../model.ts'
import { SourceFile } from '../print/source-file.ts'
import { compileDefinition } from '../validators/compile.ts'
import { reasonsName, verdictName } from '../validators/names.ts'

const wiring = 'callsheet/wiring'

/** Emits `definitions.ts`: the checks of shared schemas, once for all Tools that refer to them (TOOL-7). */
export function emitDefinitions(model: Model): GeneratedFile[] {
  const names = Object.keys(model.definitions)
  if (names.length === 0) return []
  const file = new SourceFile(
    'definitions.ts',
    names.flatMap((name) => [reasonsName(name), verdictName(name)]),
  )
  file.importType('Step', wiring)
  file.importType('Verdict', wiring)
  for (const name of names) {
    const compiled = compileDefinition(name, model.definitions)
    for (const helper of compiled.helpers) file.importValue(helper, wiring)
    for (const helper of compiled.formatHelpers) file.importValue(helper, 'callsheet/formats')
    if (compiled.declarations.length > 0) file.add(compiled.declarations.join('\n'))
    file.add(`export const ${verdictName(name)}: Verdict = ${compiled.verdict}`)
    file.add(`export const ${reasonsName(name)}: Step = ${compiled.reasons}`)
  }
  return [file.done()]
}
