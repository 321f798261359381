import type { GeneratedFile, Model } from '../model.ts'
import { SourceFile } from '../print/source-file.ts'
import { compileDefinition } from '../validators/compile.ts'
import { verdictName } from '../validators/names.ts'

const checks = 'callsheet/checks'

/** Emits `definitions.ts`: the checks of shared schemas, once for all Tools that refer to them (TOOL-7). */
export function emitDefinitions(model: Model): GeneratedFile[] {
  const names = Object.keys(model.definitions)
  if (names.length === 0) return []
  const file = new SourceFile('definitions.ts', names.map(verdictName))
  file.importType('Verdict', checks)
  for (const name of names) {
    const { verdict, declarations, helpers } = compileDefinition(name, model.definitions)
    for (const helper of helpers) file.importValue(helper, checks)
    if (declarations.length > 0) file.add(declarations.join('\n'))
    file.add(`export const ${verdictName(name)}: Verdict = ${verdict}`)
  }
  return [file.done()]
}
