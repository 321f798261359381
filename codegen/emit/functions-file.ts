import { metaFieldNames } from '../../runtime/schema/meta-fields.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { Settings } from '../config/settings.ts'
import type { Argument, Implementation, ReturnedValue } from '../function-implementation.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { isInheritedName } from '../names/inherited-name.ts'
import { toIdentifier } from '../names/names.ts'
import { wayWithin } from '../paths/portable-path.ts'
import { propertyAccess, propertyName, stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { type ConvertDate, convert } from './functions/convert.ts'
import { typesModule } from './types-module.ts'

/**
 * Emits `functions.ts`, which registers the functions that are Tools (TOOL-5). It is separate from `index.ts`, so that
 * importing the contract does not import the implementations. A worker imports this file once.
 */
export function emitFunctions(model: Model, settings: Settings): GeneratedFile[] {
  const tools = model.tools.flatMap(({ name, schema, implementation }) =>
    implementation ? [{ name, schema, implementation }] : [],
  )
  if (tools.length === 0) return []
  const file = new SourceFile('functions.ts', ownNames)
  const activity = file.importValue('Activity', `./index${settings.importExtension}`)
  const locals = importFunctions(tools, file, settings)
  const used = new Set(locals.values())
  const instances = new Map<string, string>()
  const typeOf = (kind: 'Outputs' | 'ResolvedCalls', name: string): string =>
    `${file.importType(kind, typesModule('.', settings))}[${stringLiteral(name)}]`
  for (const { name, schema, implementation } of tools) {
    const imported = locals.get(name) ?? ''
    const { method } = implementation
    if (method && !method.isStatic && !instances.has(imported)) {
      let instance = `instanceOf${imported}`
      while (used.has(instance)) instance += '_'
      instances.set(imported, instance)
      file.add(`/** Serves every Call of its methods. */\nconst ${instance} = new ${imported}()`)
    }
    const receiver = method && !method.isStatic ? (instances.get(imported) ?? imported) : imported
    const callee = method ? receiver + propertyAccess(method.name) : receiver
    file.add(
      `${activity}.register(${stringLiteral(name)}, ${registered(implementation, callee, {
        date: (text) => `${file.importValue('dateOf', 'callsheet/surface')}(${text})`,
        parametersOnly: () =>
          `${parametersOnly(schema)}: ${typeOf('ResolvedCalls', name)} & { _activity?: string }`,
        output: () => typeOf('Outputs', name),
      })})`,
    )
  }
  return [file.done()]
}

/** Names that the Activities declare or use around the called functions. */
const ownNames = [
  ...metaFieldNames,
  ...['_call', '_context', '_schema', 'call', 'output', 'parameters', 'run'],
  ...['Date', 'Object', 'undefined'],
]

interface FunctionTool {
  readonly name: string
  readonly implementation: Implementation
}

/** Returns whether several files export something of this name. `default` always counts, since it is no name. */
function sharedExports(tools: readonly FunctionTool[]): (exportName: string) => boolean {
  const files = new Map<string, string>()
  const shared = new Set(['default'])
  for (const { implementation } of tools) {
    const { exportName, file } = implementation
    if ((files.get(exportName) ?? file) !== file) shared.add(exportName)
    files.set(exportName, file)
  }
  return (exportName) => shared.has(exportName)
}

/** Imports the functions and classes. Returns their local names, by Tool. */
function importFunctions(
  tools: readonly FunctionTool[],
  file: SourceFile,
  { root, output, importExtension }: Settings,
): Map<string, string> {
  const isShared = sharedExports(tools)
  return new Map(
    tools.map((tool): [string, string] => {
      const { exportName, file: path } = tool.implementation
      const from = importPath(wayWithin(root, output, path), importExtension)
      return [
        tool.name,
        file.importValue(exportName, from, isShared(exportName) ? localOf(tool) : exportName),
      ]
    }),
  )
}

/** Names an import by its Tool, or by the toolkit for a class, so that other Tools do not change the name (GEN-2). */
function localOf({ name, implementation }: FunctionTool): string {
  if (implementation.method) return toIdentifier(name.slice(0, name.lastIndexOf('.')))
  const [first = '', ...more] = toIdentifier(name)
  return first.toLowerCase() + more.join('')
}

/** Returns the import specifier of a source file: `.js` instead of `.ts` if the project imports so. */
function importPath(path: string, extension: Settings['importExtension']): string {
  const relative = path.startsWith('.') ? path : `./${path}`
  if (extension === '.ts') return relative
  if (extension === '') return relative.replace(/\.[mc]?[jt]s$/, '')
  return relative.replace(/\.([mc]?)ts$/, '.$1js')
}

/** What the Activity of a function prints besides its call. */
interface Printed {
  /** A Date of a text, given as an expression. */
  readonly date: (text: string) => string
  /** The Call, destructured to its parameters. */
  readonly parametersOnly: () => string
  /** The type of its output. */
  readonly output: () => string
}

/** Prints a pattern that leaves out every meta-field that a Call can bring to an Activity (ACT-2), declared or not. */
function parametersOnly({ properties = {} }: ToolSchema): string {
  const always = ['_tool', '_activity', '_reasoningForCall']
  const declared = metaFieldNames.filter(
    (name) => Object.hasOwn(properties, name) && name !== '_output' && !always.includes(name),
  )
  return `{ ${[...always, ...declared].join(', ')}, ...parameters }`
}

/** Prints the Activity: it converts the Call to arguments, and the return value to an output. */
function registered({ arguments: list, output }: Implementation, callee: string, printed: Printed): string {
  const takesAll = list.some(({ from }) => from === 'parameters')
  const takesSignal = list.some((argument) => argument.from === 'signal' || usesSignal(argument))
  const call = takesAll ? printed.parametersOnly() : 'call'
  const isUsed = takesAll || list.some(({ from }) => from === 'parameter')
  const shown = takesSignal ? [isUsed ? call : '_call', '_schema', '_context', 'run'] : isUsed ? [call] : []
  const given = list.map((argument, index) => passed(argument, index, callee, printed.date)).join(', ')
  const invoked = `${callee}(${given})`
  const parameters = `(${shown.join(', ')})`
  const result = returned(output, printed.output)
  if (result === 'output') return `${output.isNested ? 'async ' : ''}${parameters} => ${invoked}`
  return `async ${parameters} => {\n  const output = await ${invoked}\n  return ${result}\n}`
}

function usesSignal(argument: Argument): boolean {
  return argument.from === 'parameters' && argument.signals.length > 0
}

function passed(argument: Argument, index: number, callee: string, date: ConvertDate): string {
  if (argument.from === 'signal') return 'run.signal'
  if (argument.from === 'parameters') {
    const converted = convert('parameters', argument.value.conversion, date)
    const signals = argument.signals.map((name) => `, ${propertyName(name)}: run.signal`).join('')
    const whole = signals === '' ? converted : `{ ...${converted}${signals} }`
    return asParameter(whole, argument.value.isNarrower, callee, index)
  }
  const { name, isRest, isOptional, value } = argument
  const member = `call${propertyAccess(name)}`
  const isInherited = isOptional && isInheritedName(name)
  const read = isInherited ? `(Object.hasOwn(call, ${stringLiteral(name)}) ? ${member} : undefined)` : member
  const converted = convert(read, value.conversion, date)
  if (isRest) {
    const items = isOptional ? restValue(read, converted) : converted
    return `...(${value.isNarrower ? asRest(items, callee, index) : items})`
  }
  const whole =
    isOptional && value.conversion ? `${read} === undefined ? undefined : ${converted}` : converted
  return asParameter(whole, value.isNarrower, callee, index)
}

/** Prints the items of a rest parameter without required items: it defaults to an empty list, or tuple. */
function restValue(read: string, converted: string): string {
  return read === converted ? `${read} ?? ([] as const)` : `${read} === undefined ? [] : ${converted}`
}

/**
 * Casts a value to a type that is narrower than JSON's; the check has validated what JSON Schema can express. Casts through
 * `unknown`, since a type can be narrower in one part (a brand) and wider in another (a `readonly` list).
 */
function asParameter(value: string, isNarrower: boolean, callee: string, index: number): string {
  return isNarrower ? `${value} as unknown as Parameters<typeof ${callee}>[${index}]` : value
}

/**
 * Casts the items of a rest parameter as {@link asParameter} does. `Parameters` is no help: it is `never` for a `readonly` list,
 * and what follows the parameters before cannot always be inferred from it.
 */
function asRest(items: string, callee: string, index: number): string {
  const before = Array.from({ length: index }, (_, at) => `_${at + 1}: never, `).join('')
  const shape = `(${before}...rest: infer Rest extends readonly unknown[]) => unknown`
  return `(${items}) as unknown as (typeof ${callee} extends ${shape} ? Rest : never)`
}

/** Prints the Activity's return value, as an expression over `output`. */
function returned({ conversion, isNarrower, member }: ReturnedValue, outputType: () => string): string {
  const value = convert('output', conversion, (value) => `${value}.toISOString()`)
  const whole = member === undefined ? value : `{ ${member}: ${value} }`
  return isNarrower ? `${whole} as unknown as ${outputType()}` : whole
}
