import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { toolkitTypeNames, toolTypeNames, writtenName } from '../names/names.ts'
import { SourceFile } from '../print/source-file.ts'
import { createTypePrinter } from '../print/type-printer.ts'
import { callBuilders } from './types/call-builders.ts'
import { contextTypes, scopedMembers } from './types/context-types.ts'
import { toolDeclarations, type Wiring } from './types/tool-declarations.ts'
import { toolMaps } from './types/tool-maps.ts'
import { readToolTypes } from './types/tool-types.ts'
import { typesPath } from './types-module.ts'

const wiringModule = 'callsheet/wiring'

/** Names that the file declares besides the types of Tools and shared definitions. */
const fixedNames = [
  'Activities',
  'Call',
  'CallBuilders',
  'Calls',
  'ContextTypes',
  'GeneratedTypes',
  'Outputs',
  'ResolvedCalls',
  'ToolName',
  'Tools',
]

/**
 * Emits `types.ts`: the types of every Tool's Calls and output, the maps over all Tools, and the type of `calls` (GEN-1).
 * Contains types only. With `declarationMaps` it is a declaration file that refers to its map.
 */
export function emitTypes(model: Model, settings: Settings): GeneratedFile {
  const declared = declaredNames(model)
  const context = contextTypes(model, declared)
  const file = new SourceFile(typesPath(settings), [...declared, ...context.names.values()])
  const printer = createTypePrinter(model.definitions, () => file.importType('Reference', wiringModule))
  const wiring: Wiring = {
    activityMessage: () => file.importType('ActivityMessage', wiringModule),
    constantFunction: () => file.importType('ConstantFunction', wiringModule),
    activityRun: () => file.importType('ActivityRun', wiringModule),
    activityContext: () => file.importType('ActivityContext', wiringModule),
    typedTool: () => file.importType('TypedTool', wiringModule),
    builtCall: () => file.importType('BuiltCall', wiringModule),
    writtenPath: () => file.importType('WrittenPath', wiringModule),
    scopedContext(scopes) {
      const part = (): string => file.importType('ScopedPart', wiringModule)
      const members = scopedMembers(scopes, context.names, part)
      return `${file.importType('ScopedContext', wiringModule)}<${members}>`
    },
    checks: model.context && {
      arguments: () => file.importType('CheckArguments', wiringModule),
      outputPath: () => file.importType('CheckBuiltOutputPath', wiringModule),
      told: () => file.importType('Told', wiringModule),
    },
  }
  const tools = [...model.tools]
    .sort((left, right) => byCodeUnit(left.name, right.name))
    .map((tool) => readToolTypes(tool, printer))

  for (const types of tools) for (const text of toolDeclarations(types, wiring, printer)) file.add(text)
  for (const text of context.declarations(printer)) file.add(text)
  for (const text of printer.definitions()) file.add(text)
  for (const text of toolMaps(tools, wiring)) file.add(text)
  for (const text of callBuilders(tools, wiring)) file.add(text)
  if (settings.declarationMaps) file.add(`//# sourceMappingURL=${typesPath(settings)}.map\n`)
  return file.done()
}

function declaredNames(model: Model): string[] {
  const ofTools = model.tools.flatMap(({ identifier }) => Object.values(toolTypeNames(identifier)))
  const ofDefinitions = Object.keys(model.definitions).flatMap((name) => [name, writtenName(name)])
  const ofToolkits = toolkitTypeNames(model.tools.map(({ name }) => name)).values()
  return [...fixedNames, ...ofTools, ...ofToolkits, ...ofDefinitions]
}
