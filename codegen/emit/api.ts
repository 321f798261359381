import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { toolTypeNames } from '../names/names.ts'
import { schemaDoc } from '../print/doc-comment.ts'
import { propertyName } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { activityName } from './types/tool-types.ts'
import { typesModule } from './types-module.ts'

/**
 * Emits `api.ts`: the signatures of `Tool` and `Activity`. They name the concrete union of Calls instead of being generic
 * over it, which was measured to cost the compiler a third more per Call. The union has plain interfaces, so that the
 * compiler finds the branch by its `_tool` (TYPE-5).
 */
export function emitApi(model: Model, settings: Settings): GeneratedFile {
  const file = new SourceFile('api.ts', [
    'ActivityApi',
    'ActivityOf',
    'CheckedCall',
    'CheckedRun',
    'OutputOf',
    'ToolApi',
    'ToolObjects',
  ])
  const types = typesModule('.', settings)
  for (const name of ['Activities', 'Call', 'Calls', 'Outputs', 'ToolName', 'Tools'])
    file.importType(name, types)
  const wiring = [
    'ActivityMethods',
    'BuiltCall',
    'GroupOptions',
    'IsKnown',
    'IsKnownList',
    'Outcome',
    'RegisterActivityOptions',
    'RunOptions',
    'Told',
    'ToolMethods',
    ...(model.tools.length > 0 ? ['ToolObject'] : []),
    'ToolSchema',
    'WithConstants',
    'WrongActivity',
    'WrongCall',
  ]
  for (const name of wiring) file.importType(name, 'callsheet/wiring')
  if (model.context) {
    file.importType('CheckReferences', 'callsheet/wiring')
    for (const name of ['ContextTypes', 'ResolvedCalls']) file.importType(name, types)
  }
  file.add(checkedCall(model))
  file.add(outputOf)
  file.add(toolApi(model.context ? 'const Given' : 'Given'))
  file.add(activityOf)
  if (hasSeveralActivities(model)) file.importType('AnyActivity', 'callsheet/wiring')
  file.add(activityApi(model))
  file.addDocumented(
    "The Tools' schemas by name; each is a Standard Schema over the Tool's arguments.",
    toolObjects(model, file, types),
  )
  return file.done()
}

function toolObjects(model: Model, file: SourceFile, types: string): string {
  const members = model.tools.map(({ name, identifier, schema }) => {
    const argumentsType = file.importType(toolTypeNames(identifier).arguments, types)
    const toolType = file.importType(toolTypeNames(identifier).tool, types)
    return `${schemaDoc(schema, '  ')}  readonly ${propertyName(name)}: ${toolType} & Pick<ToolObject<${argumentsType}>, '~standard'>\n`
  })
  // Not an interface, which would not be a `Record<string, object>` as `createRegistry` requires.
  return `export type ToolObjects = {\n${members.join('')}}\n`
}

const outputOf = `/** The output of a Call, literal or built. */
export type OutputOf<Given> = Given extends { readonly _tool: infer Name extends ToolName }
  ? Outputs[Name]
  : Given extends BuiltCall<infer Output>
    ? Output
    : unknown
`

/**
 * The type that a Call is compared with. It depends on the Call's \`_tool\` only, so that a wrong Call costs as much as a
 * right one (TYPE-7). It is the Tool's own type, by which the compiler also finds excess properties at any depth and editors
 * find declarations; or sentences that explain the mistake. During completion in an editor, \`Given\` is its whole constraint,
 * the union of all Calls and \`object\`, which identifies that case.
 */
function checkedCall({ context, tools }: Model): string {
  const fits = (type: string): string =>
    context ? `CheckReferences<ContextTypes, Given, ${type}, ResolvedCalls[Name], Name, Outputs[Name]>` : type
  // If any Tool may be meant, do not compute the sentences of each. `Whole` is the union that `Given` is a member of.
  const several = tools.length > 1
  const checked = several ? 'CheckedOf<Name, Given, Whole>' : 'CheckedOf<Name, Given>'
  const ofOne = several ? `[ToolName] extends [Name]\n    ? Call\n    : ${checked}` : checked
  const wrong = 'WrongCall<Given, Calls[Name], Name>'
  const sentences = several
    ? `[ToolName] extends [Whole['_tool' & keyof Whole]]\n      ? Call\n      : ${wrong}`
    : wrong
  return `/** The type that a Call is compared with: its Tool's, or sentences that explain what is wrong with it. */
export type CheckedCall<Given> = IsKnown<Given> extends true
  ? object extends Given
    ? Call
    : CheckedKnown<Given>
  : Call | BuiltCall<unknown>

/** {@link CheckedCall} of a Call whose Tool is known. */
type CheckedKnown<Given${several ? ', Whole = Given' : ''}> = Given extends { readonly _tool: infer Name extends ToolName }
  ? ${ofOne}
  : '~output' extends keyof Given
    ? Given & object
    : Call

type CheckedOf<Name extends ToolName, Given${several ? ', Whole' : ''}> = [Given] extends [Calls[Name]]
  ? ${fits('Calls[Name]')}
  : [Given] extends [WithConstants<Calls[Name]>]
    ? ${fits('WithConstants<Calls[Name]>')}
    : ${sentences}

/** {@link CheckedCall} for \`Tool.run\`, which also takes Calls of Tools that are registered while the program runs. */
export type CheckedRun<Given${several ? ', Whole = Given' : ''}> = IsKnown<Given> extends true
  ? object extends Given
    ? Call
    : Given extends { readonly _tool: string }
      ? Given['_tool'] extends ToolName
        ? CheckedKnown<Given${several ? ', Whole' : ''}>
        : Given
      : Call
  : { readonly _tool: string }

/** {@link CheckedCall} for each Call of a group. */
export type CheckedCalls<Given extends readonly unknown[]> = IsKnownList<Given> extends true
  ? { readonly [Index in keyof Given]: CheckedCall<Given[Index]> }
  : readonly (Call | BuiltCall<unknown>)[]
`
}

/**
 * The signature for built Calls comes first because it is the cheapest. For a literal Call its output is unknown, which makes
 * it require arguments that nobody passes: the compiler excludes it by their number, and reports errors of the one remaining
 * signature. It takes no options for the same reason: the error about a wrong option then names that signature.
 * \`object\` in a constraint keeps a wrong Call from being replaced by the union of all Calls.
 *
 * @param given The type parameter of a single Call: \`const\` if its strings matter.
 */
function toolApi(given: string): string {
  return `/** Runs Calls, each typed by its Tool. */
export interface ToolApi extends ToolMethods {
  /** Not callable: it has one argument too many. Editors complete a literal Call by the first signature, and a wrong Call gets its result. */
  (call: Call, options: RunOptions, never: never): any
  /** Runs a Call and gives its output. Throws a CallError, OutputError, ActivityError or BranchError. */
  <Output>(
    call: BuiltCall<Output>,
    ...options: unknown extends Output ? [never, never, never] : []
  ): Promise<Output>
  /** Runs a Call and gives its output. Throws a CallError, OutputError, ActivityError or BranchError. */
  <${given} extends Call | object, Fit = { told: CheckedCall<Given> }>(
    call: Told<Fit, Given>,
    options?: RunOptions,
  ): Promise<OutputOf<Given>>
  /** Not callable: for editors, as above. */
  run(call: Call, options: RunOptions, never: never): any
  /** Runs a Call to its Outcome; never throws on failure. */
  run<Output>(
    call: BuiltCall<Output>,
    ...options: unknown extends Output ? [never, never, never] : []
  ): Promise<Outcome<Output>>
  /** Runs a Call to its Outcome; never throws on failure. */
  run<${given} extends Call | object, Fit = { told: CheckedRun<Given> }>(
    call: Told<Fit, Given>,
    options?: RunOptions,
  ): Promise<Outcome<OutputOf<Given>>>
  /** The schema of a Tool; undefined when it was unregistered. */
  get<Name extends ToolName>(name: Name): Tools[Name]['schema'] | undefined
  /** The schema of a Tool; undefined when there is none of the name. */
  get(name: string): ToolSchema | undefined
  /** Not callable: for editors, as above. */
  all(calls: readonly Call[], options: GroupOptions, never: never): any
  /** All or nothing: the outputs, position by position. */
  all<const Given extends readonly (Call | object)[], Fit = { told: CheckedCalls<Given> }>(
    calls: Told<Fit, Given>,
    options?: GroupOptions,
  ): Promise<{ -readonly [Index in keyof Given]: OutputOf<Given[Index]> }>
  /** Not callable: for editors, as above. */
  any(calls: readonly Call[], options: GroupOptions, never: never): any
  /** The first success. Throws an AggregateError when none succeeds. */
  any<const Given extends readonly (Call | object)[], Fit = { told: CheckedCalls<Given> }>(
    calls: Told<Fit, Given>,
    options?: GroupOptions,
  ): Promise<OutputOf<Given[number]>>
  /** Not callable: for editors, as above. */
  race(calls: readonly Call[], options: GroupOptions, never: never): any
  /** The first to settle. */
  race<const Given extends readonly (Call | object)[], Fit = { told: CheckedCalls<Given> }>(
    calls: Told<Fit, Given>,
    options?: GroupOptions,
  ): Promise<OutputOf<Given[number]>>
}
`
}

const activityOf = `/** What an Activity must look like. */
export type ActivityOf<Name extends keyof Activities> = Activities extends { [Key in Name]: infer Found } ? Found : never
`

// A conditional type instead of a lookup, which would be checked against all Tools at once. It is written out: `ActivityOf`
// would cost the compiler half as much again, `Told` three times as much. While the parameters of an Activity get their types,
// `Given` is `unknown`. For an unknown name the compiler assumes all names; then any Activity is accepted, since comparing it
// with those of all Tools would be slow (TYPE-7).
function activityApi(model: Model): string {
  const ofName = `Activities extends { [Key in Name]: infer Found }
        ? unknown extends Given
          ? Found
          : Given extends Found
            ? Found
            : WrongActivity<Given, Found, Name>
        : Given`
  const activity = hasSeveralActivities(model)
    ? `keyof Activities extends Name
      ? AnyActivity
      : ${ofName}`
    : ofName
  return `/** Registers Activities, each typed by its Tool. */
export interface ActivityApi extends ActivityMethods {
  /** Registers what runs the Calls of a Tool: it gets the Call with its References resolved, and returns the Tool's output. */
  register<Name extends keyof Activities, Given = unknown>(
    name: Name,
    activity: ${activity},
    options?: RegisterActivityOptions,
  ): void
  /** Says that Activities of these names are implemented elsewhere. */
  declare(...names: (keyof Activities)[]): void
}
`
}

function hasSeveralActivities({ tools }: Model): boolean {
  return new Set(tools.map(activityName).filter((name) => name !== undefined)).size > 1
}
