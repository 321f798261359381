import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { toolTypeNames } from '../names/names.ts'
import { propertyName } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'

/**
 * Emits `api.ts`: what `Tool` and `Activity` accept and give back. The signatures name the concrete union of Calls and
 * are not generic over it, since that was measured to cost the compiler a third more per Call; the union is one of
 * plain interfaces, so that the compiler finds the branch by its `_tool` (TYPE-5).
 */
export function emitApi(model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile('api.ts', [
    'ActivityApi',
    'ActivityOf',
    'CheckedCall',
    'OutputOf',
    'StrictCall',
    'ToolApi',
    'ToolObjects',
  ])
  const types = `./types${settings.importExtension}`
  for (const name of ['Activities', 'Call', 'Calls', 'Outputs', 'ToolName']) file.importType(name, types)
  const wiring = [
    'ActivityMethods',
    'BuiltCall',
    'GroupOptions',
    'RegisterActivityOptions',
    'RunOptions',
    'ToolMethods',
    'ToolObject',
    'UnknownParameter',
  ]
  for (const name of wiring) file.importType(name, 'callsheet/wiring')
  file.add(strictCall)
  if (model.context) {
    file.importType('CheckArguments', 'callsheet/wiring')
    for (const name of ['ContextTypes', 'ResolvedCalls']) file.importType(name, types)
    file.add(checkedCall)
  }
  file.add(outputOf)
  file.add(
    model.context ? toolApi(['StrictCall', 'CheckedCall'], 'const Given') : toolApi(['StrictCall'], 'Given'),
  )
  file.add(activityOf)
  file.add(activityApi)
  file.addDocumented(
    "The Tools' schemas by name; each is a Standard Schema over the Tool's arguments.",
    toolObjects(model, file, types),
  )
  return file.done()
}

function toolObjects(model: Model, file: SourceFile, types: string): string {
  const members = model.tools.map(({ name, identifier }) => {
    const argumentsType = file.importType(toolTypeNames(identifier).arguments, types)
    return `  readonly ${propertyName(name)}: ToolObject<${argumentsType}>\n`
  })
  return `export interface ToolObjects {\n${members.join('')}}\n`
}

const strictCall = `/** Lets a literal Call through, or says which of its properties its Tool does not know. */
export type StrictCall<Given> = Given extends { readonly _tool: infer Name extends ToolName }
  ? [Exclude<keyof Given, keyof Calls[Name]>] extends [never]
    ? unknown
    : UnknownParameter<Name, Exclude<keyof Given, keyof Calls[Name]>>
  : unknown
`

const checkedCall = `/** Lets a literal Call through whose References lead to what its parameters take. */
export type CheckedCall<Given> = Given extends { readonly _tool: infer Name extends ToolName }
  ? CheckArguments<ContextTypes, Given, ResolvedCalls[Name]>
  : unknown
`

const outputOf = `/** The output of a Call, built or literal. */
export type OutputOf<Given> = Given extends BuiltCall<infer Output>
  ? Output
  : Given extends { readonly _tool: infer Name extends ToolName }
    ? Outputs[Name]
    : never
`

// The lists of `all`, `any` and `race` are mapped and not spread: a spread makes the compiler work `StrictCall` out for
// every Tool, whether it is called or not.
/**
 * @param checks What must hold of a literal Call. As a default it is worked out once, when the Call is known.
 * @param given The type parameter of a single Call: a constant where its texts matter, or the compiler takes one for a
 * parameter that takes any text as just a `string`.
 */
function toolApi(checks: readonly string[], given: string): string {
  const ofCall = checks.map((check) => `${check}<Given>`).join(' & ')
  const ofItem = checks.map((check) => `${check}<Given[Index]>`).join(' & ')
  return `/** Runs Calls, each typed by its Tool. */
export interface ToolApi extends ToolMethods {
  /** For editors, which complete a literal Call by the first signature; it takes one argument too many to be called. */
  (call: Call, options: RunOptions, never: never): never
  /** Runs a Call and gives its output. Throws a CallError, OutputError, ActivityError or BranchError. */
  <Output>(call: BuiltCall<Output>, options?: RunOptions): Promise<Output>
  <${given} extends Call, Checks = ${ofCall}>(
    call: Given & NoInfer<Checks>,
    options?: RunOptions,
  ): Promise<Outputs[Given['_tool']]>
  /** All or nothing: the outputs, position by position. */
  all<const Given extends readonly (BuiltCall<unknown> | Call)[]>(
    calls: { readonly [Index in keyof Given]: Given[Index] & ${ofItem} },
    options?: GroupOptions,
  ): Promise<{ -readonly [Index in keyof Given]: OutputOf<Given[Index]> }>
  /** The first success. Throws an AggregateError when none succeeds. */
  any<const Given extends readonly (BuiltCall<unknown> | Call)[]>(
    calls: { readonly [Index in keyof Given]: Given[Index] & ${ofItem} },
    options?: GroupOptions,
  ): Promise<OutputOf<Given[number]>>
  /** The first to settle. */
  race<const Given extends readonly (BuiltCall<unknown> | Call)[]>(
    calls: { readonly [Index in keyof Given]: Given[Index] & ${ofItem} },
    options?: GroupOptions,
  ): Promise<OutputOf<Given[number]>>
}
`
}

const activityOf = `/** What an Activity must look like. */
export type ActivityOf<Name extends keyof Activities> = Activities extends { [Key in Name]: infer Found } ? Found : never
`

// A condition and no lookup, which would be checked against all Tools at once; and the condition itself, not
// `ActivityOf`: an alias costs the compiler half as much again.
const activityApi = `/** Registers Activities, each typed by its Tool. */
export interface ActivityApi extends ActivityMethods {
  register<Name extends keyof Activities>(
    name: Name,
    activity: Activities extends { [Key in Name]: infer Found } ? Found : never,
    options?: RegisterActivityOptions,
  ): void
}
`
