import type { Node } from '@babel/types'
import type { SourcePosition } from '../model.ts'
import { nestingProblem, parseSource, type SourceProblem } from './parse-source.ts'
import { type AnyCall, bare, isNamed, memberName, textOf } from './source-tree.ts'
import { lastOf, madeByHand, type Reference, SourceValues, type Value } from './source-values.ts'

/** A call in a source file that registers an Activity, if its function is the `register` of an `Activity`. */
export interface RegisterCall {
  /** The registered name; undefined if it is computed. */
  readonly name: string | undefined
  readonly at: SourcePosition
  /** What the function may be. */
  readonly of: readonly Reference[]
  /** Whether it is written as the member `register` of anything but a `Tool`. */
  readonly isMember: boolean
}

/** What a source file registers and passes on. */
export interface SourceReading {
  /** In the order of the text. */
  readonly calls: readonly RegisterCall[]
  /** The exports that may lead to an `Activity`: their names, and the paths to members of objects. */
  readonly exportedPaths: readonly (readonly string[])[]
  /** Why the file does not parse, and where. */
  readonly problem?: { readonly message: string; readonly at: SourcePosition }
  /** Returns what a member of an export may be, by its path: `['default', 'Activity']`. */
  exported(path: readonly string[]): readonly Reference[]
}

/** Reads a source file without running it. @param file The file's path in positions. */
export function readSource(text: string, file: string): SourceReading {
  const parsed = parseSource(text, file)
  if ('problem' in parsed) return unreadable(parsed.problem, file)
  try {
    return readTree(parsed.tree, file)
  } catch (error) {
    // A chain of thousands of members.
    const problem = nestingProblem(error)
    if (!problem) throw error
    return unreadable(problem, file)
  }
}

function readTree(tree: Node, file: string): SourceReading {
  const values = new SourceValues(tree)
  const { calls, exports, exportedModules } = values.declarations
  const exported = (path: readonly string[]): Reference[] => [
    ...references(values.exported(path)),
    ...(path[0] === 'default' ? [] : exportedModules.map((from) => ({ from, path }))),
  ]
  return {
    calls: calls.flatMap((call) => registerCall(call, values, file) ?? []).sort(byPosition),
    exportedPaths: [...exports.keys()].flatMap((name) => values.exportedPaths(name)),
    exported,
  }
}

/** Returns a call with what its function may be; undefined if that is nothing from elsewhere, and no `register` by its name. */
function registerCall(call: AnyCall, values: SourceValues, file: string): RegisterCall | undefined {
  const of = references(values.of(call.callee))
  const method = of.map(lastOf).find((name) => name === 'call' || name === 'apply' || name === 'bind')
  const functions = of.map(({ from, path }) => ({
    from,
    path: path.at(-1) === method ? path.slice(0, -1) : path,
  }))
  const argument = nameArgument(call, method)
  const mayRegister = functions.some(({ from, path }) => isFile(from) || isRegister(path))
  const isMember = isRegisterMember(call.callee)
  if ((!mayRegister && !isMember) || argument === undefined) return undefined
  const { line, column } = call.loc?.start ?? { line: 1, column: 0 }
  return { name: textOf(bare(argument)), at: { file, line, column: column + 1 }, of: functions, isMember }
}

function isRegisterMember(callee: Node): boolean {
  if (memberName(callee) !== 'register' || !('object' in callee)) return false
  const object = bare(callee.object as Node)
  return !isNamed(object, 'Tool') && memberName(object) !== 'Tool'
}

/** Returns the argument that is the name: behind the object in `call` and `bind`, the first of the list in `apply`. */
function nameArgument({ arguments: given }: AnyCall, method: string | undefined): Node | undefined {
  if (method === undefined) return given[0]
  const list = given[1]
  if (method !== 'apply') return list
  return list?.type === 'ArrayExpression' ? (list.elements[0] ?? undefined) : list
}

/** Returns what values lead to outside of the file. An unknown `Activity` counts only if the text tells of no other. */
function references(values: readonly Value[]): readonly Reference[] {
  const all = values.filter((value) => 'path' in value)
  const told = all.filter(({ from }) => from !== undefined)
  return told.some(({ path }) => path.includes('Activity')) ? told : all
}

function byPosition(left: RegisterCall, right: RegisterCall): number {
  return left.at.line - right.at.line || left.at.column - right.at.column
}

function unreadable({ message, line, column }: SourceProblem, file: string): SourceReading {
  const problem = { message, at: { file, line, column } }
  return { calls: [], exportedPaths: [], exported: () => [], problem }
}

/** Whether a path leads to the `register` of an `Activity`, as far as it tells. */
export function isRegister(path: readonly string[]): boolean {
  return path.at(-1) === 'register' && path.at(-2) === 'Activity'
}

/** Whether another file tells what its exports are. */
function isFile(from: string | undefined): boolean {
  return from !== undefined && from !== madeByHand
}
