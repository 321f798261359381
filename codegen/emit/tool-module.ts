import { callSchema } from '../../runtime/schema/call-schema.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model, ToolModel } from '../model.ts'
import { schemaConstant, toolTypeNames } from '../names/names.ts'
import { SourceFile, uncheckedNote } from '../print/source-file.ts'
import { type CompiledCheck, compileCheck, definitionImports } from '../validators/compile.ts'
import { typesModule } from './types-module.ts'

const wiring = 'callsheet/wiring'

/**
 * Emits `tools/<name>.ts`: one Tool's compiled checks, and its schema as an object that is made of its text. The registry
 * imports it when the Tool is first called; a project may import it by itself, and gets the schema synchronously (GEN-11).
 */
export function emitToolModule(tool: ToolModel, model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile(`tools/${tool.safeName}.ts`, ['checks', 'tool'], uncheckedNote)
  const types = typesModule('..', settings)
  file.importType('Checks', wiring)
  file.importType('ToolObject', wiring)
  const argumentsType = file.importType(toolTypeNames(tool.identifier).arguments, types)
  const text = file.importValue(schemaConstant(tool.identifier), `../schemas${settings.importExtension}`)
  const parsed = file.importValue('parsedToolObject', 'callsheet/surface')
  file.add(`export const checks: Checks = {\n${checkMembers(tool, model, settings, file)}}\n`)
  file.add(`export const tool: ToolObject<${argumentsType}> = ${parsed}(${text}, checks)`)
  return file.done()
}

function checkMembers(tool: ToolModel, model: Model, settings: Settings, file: SourceFile): string {
  const { schema, strip } = callSchema(tool.schema)
  const compile = (each: JsonSchema | boolean, prefix: string): string => {
    const compiled = compileCheck(each, model.definitions, prefix)
    importUses(compiled, file, `../definitions${settings.importExtension}`)
    if (compiled.declarations.length > 0) file.add(`${compiled.declarations.join('\n')}\n`)
    return indented(compiled.code)
  }
  const checked = compile(schema, 'call')
  const call = strip ? `${file.importValue('withoutFreeFields', wiring)}(${checked})` : checked
  const output = tool.output === undefined ? '' : `  output: ${compile(tool.output, 'output')},\n`
  return `  call: ${call},\n${output}`
}

/** Imports what compiled code calls. */
function importUses(compiled: CompiledCheck, file: SourceFile, definitions: string): void {
  for (const name of compiled.helpers) file.importValue(name, wiring)
  for (const name of compiled.formatHelpers) file.importValue(name, 'callsheet/formats')
  for (const name of definitionImports(compiled)) file.importValue(name, definitions)
}

/** Puts code a level deeper, into the object that it is a member of. */
function indented(code: string): string {
  return code.replaceAll(/\n(?=.)/g, '\n  ')
}
