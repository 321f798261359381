import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model, ToolModel } from '../model.ts'
import { schemaConstant } from '../names/names.ts'
import { jsonExpression, stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'

/**
 * Emits `registry.ts`: the facts that a registry needs of every Tool at start. Schemas are text and checks are separate
 * modules, so that a process pays only for the Tools that it calls (GEN-11). Each entry is passed through a function, because
 * the compiler compares the members of an array literal with each other: 12 seconds for a thousand Tools, now 0.1.
 */
export function emitRegistry(model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile('registry.ts', ['generatedTools'])
  file.importType('GeneratedTool', 'callsheet/wiring')
  const entries = model.tools.map((tool) => {
    // Imported here, since unused imports are errors in strict projects, also in one without Tools.
    const generatedTool = file.importValue('generatedTool', 'callsheet/wiring')
    const schemas = file.importAll('schemas', `./schemas${settings.importExtension}`)
    const implementedIn = implementingFile(tool, settings)
    const facts = {
      ...toolFacts(tool.name, tool.schema),
      ...(implementedIn !== undefined && { implementedIn }),
    }
    const text = `${schemas}.${schemaConstant(tool.identifier)}`
    const module = stringLiteral(`./tools/${tool.fileName}${settings.importExtension}`)
    return `  ${generatedTool}(${jsonExpression(facts)}, ${text}, () => import(${module})),\n`
  })
  file.add(`export const generatedTools: readonly GeneratedTool[] = [\n${entries.join('')}]\n`)
  return file.done()
}

/** Returns the file that a process has to import before it runs the Tool's Calls (ACT-3b); undefined if unknown. */
function implementingFile(
  { implementation, implementedIn }: ToolModel,
  { output }: Settings,
): string | undefined {
  return implementation ? `${output}/functions.ts` : implementedIn
}
