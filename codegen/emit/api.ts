import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { toolTypeNames } from '../names/names.ts'
import { schemaDoc } from '../print/doc-comment.ts'
import { propertyName, stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { createTypePrinter } from '../print/type-printer.ts'
import { activityName } from './types/tool-types.ts'
import { typesModule } from './types-module.ts'

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
    'Outcome',
    'RegisterActivityOptions',
    'RunOptions',
    'Told',
    'ToolMethods',
    'ToolObject',
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
  if (constantActivities(model).length > 0) file.importType('ConstantActivity', 'callsheet/wiring')
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
  // No interface, which would be no `Record<string, object>`, and so nothing that `createRegistry` takes.
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
 * The check of a Call looks at its \`_tool\` first and at no other Tool's type, so that a wrong Call costs what a right one
 * does (TYPE-7). What it gives is what the compiler compares the Call with: the Tool's own type, which also makes it see
 * properties that are too many at any depth, and leads editors to them; or sentences that say what is wrong. While somebody
 * completes a Call, \`Given\` is its whole constraint: the union of all Calls with \`object\` in it, by which that is told.
 */
function checkedCall({ context, tools }: Model): string {
  const fits = (type: string): string =>
    context ? `CheckReferences<ContextTypes, Given, ${type}, ResolvedCalls[Name], Name>` : type
  // Where any Tool may be meant, what each has to say is not worked out.
  const ofOne =
    tools.length > 1
      ? `[ToolName] extends [Name]
    ? Call
    : CheckedOf<Name, Given>`
      : 'CheckedOf<Name, Given>'
  return `/** What a Call has to fit: its Tool's type, or sentences that say why it does not. */
export type CheckedCall<Given> = object extends Given
  ? Call
  : IsKnown<Given> extends true
    ? CheckedKnown<Given>
    : Call

/** The same where the Tool is known. */
type CheckedKnown<Given> = Given extends { readonly _tool: infer Name extends ToolName }
  ? ${ofOne}
  : '~output' extends keyof Given
    ? Given & object
    : Call

type CheckedOf<Name extends ToolName, Given> = [Given] extends [Calls[Name]]
  ? ${fits('Calls[Name]')}
  : [Given] extends [WithConstants<Calls[Name]>]
    ? ${fits('WithConstants<Calls[Name]>')}
    : WrongCall<Given, Calls[Name], Name>

/** The same of a Call that is run to its Outcome, which may also be of a Tool that is registered when the program runs. */
export type CheckedRun<Given> = IsKnown<Given> extends true
  ? object extends Given
    ? Call
    : Given extends { readonly _tool: string }
      ? Given['_tool'] extends ToolName
        ? CheckedKnown<Given>
        : Given
      : Call
  : { readonly _tool: string }

/** The same of the Calls of a group. */
export type CheckedCalls<Given> = IsKnown<Given> extends true
  ? { readonly [Index in keyof Given]: CheckedCall<Given[Index]> }
  : readonly Call[]
`
}

/**
 * The signature for built Calls comes first, being the cheapest. A literal Call gives it no output to know, and so a number of
 * arguments that nobody passes: the compiler leaves it out by their number, and then has one signature alone to speak of.
 * It takes no options for the same reason: with a wrong option there is one signature left, which names it.
 * \`object\` in a constraint keeps a wrong Call from being replaced by the union of all Calls.
 *
 * @param given The type parameter of a single Call: a constant where its texts matter.
 */
function toolApi(given: string): string {
  return `/** Runs Calls, each typed by its Tool. */
export interface ToolApi extends ToolMethods {
  /** For editors, which complete a literal Call by the first signature; it takes one argument too many to be called. */
  (call: Call, options: RunOptions, never: never): never
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
  /** For editors, as above. */
  run(call: Call, options: RunOptions, never: never): never
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
  /** For editors, as above. */
  all(calls: readonly Call[], options: GroupOptions, never: never): never
  /** All or nothing: the outputs, position by position. */
  all<const Given extends readonly (Call | object)[], Fit = { told: CheckedCalls<Given> }>(
    calls: Told<Fit, Given>,
    options?: GroupOptions,
  ): Promise<{ -readonly [Index in keyof Given]: OutputOf<Given[Index]> }>
  /** For editors, as above. */
  any(calls: readonly Call[], options: GroupOptions, never: never): never
  /** The first success. Throws an AggregateError when none succeeds. */
  any<const Given extends readonly (Call | object)[], Fit = { told: CheckedCalls<Given> }>(
    calls: Told<Fit, Given>,
    options?: GroupOptions,
  ): Promise<OutputOf<Given[number]>>
  /** For editors, as above. */
  race(calls: readonly Call[], options: GroupOptions, never: never): never
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

// A condition and no lookup, which would be checked against all Tools at once; and the condition itself, neither
// `ActivityOf` nor `Told`: the one costs the compiler half as much again, the other three times as much. While an Activity
// is not known yet, which is when its parameters are given their types, `Given` is `unknown`. In place of a name that no Tool
// has the compiler takes all names: then any Activity fits, or it would compare one with those of all Tools (TYPE-7).
function activityApi(model: Model): string {
  const constants = constantActivities(model)
  const names = constants.map(stringLiteral).join(' | ')
  const read = names === '' ? 'Found' : `Name extends ${names} ? ConstantActivity<Found> : Found`
  const ofName = `Activities extends { [Key in Name]: infer Found }
        ? unknown extends Given
          ? ${read}
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
  register<Name extends keyof Activities, Given${names === '' ? ' = unknown' : ''}>(
    name: Name,
    activity: ${activity},
    options?: RegisterActivityOptions,
  ): void${names === '' ? '' : explicitRegister(names)}
  /** Says that Activities of these names are implemented elsewhere. */
  declare(...names: (keyof Activities)[]): void
}
`
}

// What is read as a constant is no type that a constant has. So `register<'name'>(…)`, which says the first type alone and
// lets nothing be inferred, has signatures to itself, one for async functions and one for others. Where no type is said,
// they ask for arguments that nobody passes.
function explicitRegister(constants: string): string {
  const signature = (name: string, activity: string): string => `
  register<Name extends ${name} = never>(
    name: NoInfer<Name>,
    activity: ${activity},
    ...options: [Name] extends [never] ? [never, never, never] : [options?: RegisterActivityOptions]
  ): void`
  return (
    signature(constants, 'ConstantActivity<ActivityOf<Name>>') +
    signature('keyof Activities', 'ActivityOf<Name>')
  )
}

function hasSeveralActivities({ tools }: Model): boolean {
  return new Set(tools.map(activityName).filter((name) => name !== undefined)).size > 1
}

/** The Activities that may return a constant, by code unit (ConstantActivity says why they are told apart). */
function constantActivities({ tools, definitions }: Model): string[] {
  const printer = createTypePrinter(definitions, () => 'Reference')
  const names = new Set<string>()
  for (const tool of tools) {
    const name = activityName(tool)
    if (name === undefined || tool.output === undefined) continue
    if (printer.allowsConstant(printer.read(tool.output))) names.add(name)
  }
  return [...names].sort(byCodeUnit)
}
