import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { withDefinitions } from './tool-schema.ts'
import { typesModule } from './types-module.ts'

/** Emits `index.ts`, which the project imports: typed `Tool`, `Activity`, `calls` and `tools`, and every type. */
export function emitIndex(model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile('index.ts', [
    'Activity',
    'Tool',
    'calls',
    'contextText',
    'contract',
    'plan',
    'reference',
    'registry',
    'tools',
  ])
  const from = (name: string): string => `./${name}${settings.importExtension}`
  const types = typesModule('.', settings)
  const context = declaredContext(model)
  file.add(`export { contract } from ${stringLiteral(from('contract'))}
export type * from ${stringLiteral(from('api'))}
export type * from ${stringLiteral(types)}
`)
  if (context !== undefined)
    file.add(`/** What contexts hold, as JSON text. */
const contextText = ${context}
`)
  addRegistry(file, from, registryOptions(file, from, model, settings, context !== undefined))
  addCallsAndTools(file, from, types)
  addPlansAndReferences(file, types, context !== undefined)
  return file.done()
}

/** Returns the import path of another generated file. */
type From = (name: string) => string

/** Prints the registry's options, as members of an object. */
function registryOptions(
  file: SourceFile,
  from: From,
  model: Model,
  settings: Settings,
  hasContext: boolean,
): string[] {
  const declared = declaredActivities(model, settings)
  return [
    ...(declared.length > 0 ? [`declared: [${declared.map(stringLiteral).join(', ')}]`] : []),
    ...(hasIdeas(model) ? [file.importValue('ideaTexts', from('ideas'))] : []),
    `search: () => import(${stringLiteral(from('search'))})`,
    ...composeMembers(settings, hasContext),
  ]
}

function addRegistry(file: SourceFile, from: From, options: readonly string[]): void {
  file.importType('Registry', 'callsheet/wiring')
  file.importValue('registryOf', 'callsheet/wiring')
  file.importValue('surface', 'callsheet/surface')
  file.importType('ActivityApi', from('api'))
  file.importType('ToolApi', from('api'))
  file.importValue('generatedTools', from('registry'))
  const members = options.map((option) => `  ${option},\n`).join('')
  file.add(`const registry: Registry<ToolApi, ActivityApi> = registryOf(generatedTools, surface, {
${members}})
`)
  file.addDocumented(
    'Runs Calls: one by one, or with `all`, `any` and `race`.',
    'export const Tool: ToolApi = registry.Tool',
  )
  file.addDocumented('Registers implementations.', 'export const Activity: ActivityApi = registry.Activity')
}

function addCallsAndTools(file: SourceFile, from: From, types: string): void {
  file.importValue('callBuilders', 'callsheet/surface')
  file.importValue('toolObjects', 'callsheet/surface')
  file.importType('CallBuilders', types)
  file.importType('ToolObjects', from('api'))
  file.addDocumented(
    'Makes typed Calls: `calls.name(parameters, meta)`.',
    'export const calls: CallBuilders = callBuilders(generatedTools.map(({ facts }) => facts.name)) as unknown as CallBuilders',
  )
  file.addDocumented(
    "The Tools' schemas by name; each is a Standard Schema as well.",
    'export const tools: ToolObjects = toolObjects(generatedTools) as unknown as ToolObjects',
  )
}

function addPlansAndReferences(file: SourceFile, types: string, hasContext: boolean): void {
  file.importType('ContextTypes', types)
  file.importType('GeneratedTypes', types)
  const plan = `${file.importType('PlanApi', 'callsheet/wiring')}<GeneratedTypes>`
  const planOf = file.importValue('planOf', 'callsheet/surface')
  file.addDocumented(
    'Makes plans: Calls that read what others write, checked when they compile.',
    `export const plan: ${plan} = ${planOf}(tools${hasContext ? ', contextText' : ''}) as unknown as ${plan}`,
  )
  const reference = `${file.importType('ReferenceApi', 'callsheet/wiring')}<ContextTypes>`
  const referenceValue = file.importValue('reference', 'callsheet/surface')
  file.addDocumented(
    'Writes a Reference that is checked against what the project declares of its contexts.',
    `export const reference: ${reference} = ${referenceValue} as unknown as ${reference}`,
  )
}

function hasIdeas(model: Model): boolean {
  return model.tools.some(({ idea }) => idea !== undefined)
}

/** Prints the declared context's schemas, as text that is parsed when the first plan is checked. */
function declaredContext({ context, definitions }: Model): string | undefined {
  if (!context) return undefined
  const { $defs }: JsonSchema = withDefinitions({ properties: context }, definitions)
  return stringLiteral(JSON.stringify({ kinds: context, ...($defs && { definitions: $defs }) }))
}

/** Prints the configured options of composed schemas, so that a Request sends what was generated (REQ-14). */
function composeMembers(
  { outputPosition, explicitOutput, references }: Settings,
  hasContext: boolean,
): string[] {
  const said = [
    ...(outputPosition === 'last' ? [] : [`outputPosition: ${stringLiteral(outputPosition)}`]),
    ...(explicitOutput === 'omit' ? [] : [`explicitOutput: ${stringLiteral(explicitOutput)}`]),
    ...(references === 'auto' ? [] : [`references: ${stringLiteral(references)}`]),
    ...(hasContext ? ['contextText'] : []),
  ]
  return said.length === 0 ? [] : [`compose: { ${said.join(', ')} }`]
}

/**
 * Returns the Activities that are implemented elsewhere (ACT-3a): those of the configuration that Tools can use, and the
 * functions that Tools are derived from, which `functions.ts` registers.
 */
export function declaredActivities(model: Model, { activities }: Settings): string[] {
  const names = model.tools.flatMap(({ name, schema, implementation }) => {
    if (implementation) return name
    return activities === 'same-name' ? (toolFacts(name, schema).activity ?? name) : []
  })
  const listed = activities === undefined || activities === 'same-name' ? [] : activities
  return [...new Set([...names, ...listed])].filter((name) => name !== '').sort(byCodeUnit)
}
