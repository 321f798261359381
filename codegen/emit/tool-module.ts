import { callSchema } from '../../runtime/schema/call-schema.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { shortHash } from '../../runtime/schema/tool-name.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model, ToolModel } from '../model.ts'
import { schemaConstant, toolTypeNames } from '../names/names.ts'
import { stringLiteral } from '../print/literal.ts'
import { SourceFile, uncheckedNote } from '../print/source-file.ts'
import { compileVerdict } from '../validators/compile.ts'
import { verdictName } from '../validators/names.ts'
import { schemaText } from './tool-schema.ts'
import { typesModule } from './types-module.ts'

const checks = 'callsheet/checks'

/**
 * Emits `tools/<name>.ts`: one Tool's compiled checks, and its schema object, parsed from its text. The registry imports it
 * when the Tool is first called; a project may import it directly to get the schema synchronously (GEN-11).
 */
export function emitToolModule(tool: ToolModel, model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile(`tools/${tool.fileName}.ts`, ['checks', 'tool'], uncheckedNote)
  const types = typesModule('..', settings)
  file.importType('Checks', checks)
  file.importType('ToolObject', 'callsheet/wiring')
  const argumentsType = file.importType(toolTypeNames(tool.identifier).arguments, types)
  const text = file.importValue(schemaConstant(tool.identifier), `../schemas${settings.importExtension}`)
  const hash = stringLiteral(shortHash(schemaText(tool.schema, model.definitions)))
  const made = file.importValue('generatedChecks', checks)
  const parsed = file.importValue('parsedToolObject', 'callsheet/surface')
  file.add(
    `export const checks: Checks = ${made}(${[text, ...verdicts(tool, model, settings, file), hash].join(', ')})`,
  )
  file.add(`export const tool: ToolObject<${argumentsType}> = ${parsed}(${text}, checks)`)
  return file.done()
}

/** Prints the verdict functions of Calls and of the output, which may be undeclared. */
function verdicts(tool: ToolModel, model: Model, settings: Settings, file: SourceFile): string[] {
  const { schema, strip, apart } = callSchema(tool.schema)
  const compile = (each: JsonSchema | boolean, prefix: string): string => {
    const { verdict, declarations, helpers, definitions } = compileVerdict(each, model.definitions, prefix)
    for (const name of helpers) file.importValue(name, checks)
    for (const name of definitions) {
      file.importValue(verdictName(name), `../definitions${settings.importExtension}`)
    }
    if (declarations.length > 0) file.add(`${declarations.join('\n')}\n`)
    return verdict
  }
  const wrapped = (by: string, ...ways: string[]): string =>
    `${file.importValue(by, checks)}(${ways.join(', ')})`
  const whole = (): string => {
    const checked = compile(schema, 'call')
    return strip ? wrapped('withoutFreeFields', checked) : checked
  }
  const call = apart
    ? wrapped('fieldsApart', compile(apart.parameters, 'call'), compile(apart.fields, 'fields'))
    : whole()
  return [call, tool.output === undefined ? 'undefined' : compile(tool.output, 'output')]
}
