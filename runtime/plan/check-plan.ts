import type { Call, Message } from '../context/message.ts'
import { type Expression, formatPath, type Path, parseOutputPath } from '../context/reference.ts'
import { readerOf } from '../context/state.ts'
import { CallError, type ErrorCode, type Problem } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { nearest } from '../problems/nearest.ts'
import {
  briefly,
  furtherProblems,
  listProblems,
  mostProblems,
  saidProblem,
  saidProblems,
} from '../problems/problem.ts'
import { shorten } from '../problems/shorten.ts'
import { suggest } from '../problems/suggest.ts'
import { isMetaField } from '../schema/meta-fields.ts'
import type { Schema } from '../schema/schema.ts'
import { type DeclaredContext, declaredAt } from './declared.ts'
import { isPresent, type PlanGraph, planGraph } from './plan-graph.ts'
import { PlanWriters } from './plan-writers.ts'
import { type IsParameter, type Read, readsOf } from './reads.ts'

/** What a plan is checked against. Whatever is left out is not checked. */
export interface PlanChecks {
  /** Returns the schema of a Tool; undefined if no Tool has the name. */
  readonly tool?:
    | ((name: string) => { readonly properties?: object; readonly additionalProperties?: Schema } | undefined)
    | undefined
  /** Names to suggest for an unknown Tool. */
  readonly toolNames?: Iterable<string> | undefined
  readonly declared?: DeclaredContext | undefined
  /** The Messages that exist before the plan runs. */
  readonly context?: readonly Message[] | undefined
  /**
   * True if `context` is the complete context of the run. A Reference to a path that is neither in it nor written by
   * the plan is then a problem; otherwise the path may still be in the context when the plan runs.
   */
  readonly isWhole?: boolean
}

interface Found extends Omit<Problem, 'message'> {
  readonly code: ErrorCode
  /** Returns names that may have been meant. */
  readonly guesses: () => readonly string[]
}

/** Where the values that a Call reads can come from. */
interface Source {
  /** Returns true if the context has a value. */
  isThere(expression: Expression, call: Call): boolean
  /** Returns true if a Call of the plan writes to the path. */
  isWritten(path: Path, call: Call): boolean
}

/**
 * Checks Calls by the rules of `plan(…)`, which the compiler applies to literal plans (TYPE-3). A model lists Calls in
 * any order, so only the graph counts here: a Call may read what a later one writes.
 *
 * @returns The graph.
 * @throws CallError with every problem; its code is that of the first. `plan_cycle` if there is no other problem.
 */
export function checkPlan(calls: readonly Call[], checks: PlanChecks, isParameter: IsParameter): PlanGraph {
  const malformed = calls.flatMap((call, index) => malformedCall(call, index))
  if (malformed.length > 0) throw planError(malformed)
  const writers = new PlanWriters(calls)
  const context = checks.context ?? []
  const reader = readerOf(context)
  const source: Source = {
    isThere: (expression, call) => checks.context !== undefined && isPresent(expression, reader, call),
    isWritten: (path, call) => writers.of(path, call).length > 0,
  }
  const problems = calls.flatMap((call, index) => [
    ...toolProblems(call, index, checks),
    ...outputPathProblems(call, index, checks),
    ...readsOf(call, isParameter).flatMap((read) => readProblems(call, index, read, checks, source)),
  ])
  if (problems.length > 0) throw planError(problems)
  return planGraph(calls, context, isParameter)
}

function malformedCall(call: unknown, index: number): Found[] {
  if (isJsonObject(call) && typeof own(call, '_tool') === 'string') return []
  return [found('invalid_call', `/${index}`, 'a Call such as { _tool: "name", … }', briefly(call))]
}

function toolProblems(call: Call, index: number, { tool, toolNames = [] }: PlanChecks): Found[] {
  if (!tool) return []
  const schema = tool(call._tool)
  if (!schema) {
    const guesses = (): string[] => nearest(call._tool, toolNames)
    return [found('unknown_tool', `/${index}/_tool`, 'the name of a Tool', briefly(call._tool), guesses)]
  }
  const { properties = {}, additionalProperties } = schema
  if (additionalProperties !== false) return []
  const expected = `one of the parameters of "${call._tool}"`
  return Object.keys(call)
    .filter((name) => !isMetaField(name) && !Object.hasOwn(properties, name))
    .map((name) => {
      const guesses = (): string[] =>
        nearest(
          name,
          Object.keys(properties).filter((each) => !isMetaField(each)),
        )
      return found('invalid_call', `/${index}/${pointerSegment(name)}`, expected, briefly(name), guesses)
    })
}

function outputPathProblems(call: Call, index: number, { declared }: PlanChecks): Found[] {
  const { _outputPath: text } = call
  if (text === undefined || text === null) return []
  const pointer = `/${index}/_outputPath`
  if (typeof text !== 'string') return [found('invalid_path', pointer, 'a path', briefly(text))]
  try {
    const paths = parseOutputPath(text).alternatives.flat()
    return declared ? paths.flatMap((path) => unknownPath(declared, path, pointer)) : []
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return [found('invalid_path', pointer, 'a path such as †state.user.name', `"${text}"`)]
  }
}

function readProblems(
  call: Call,
  index: number,
  { expression, text, pointer }: Read,
  checks: PlanChecks,
  source: Source,
): Found[] {
  const at = `/${index}${pointer}`
  const { declared, isWhole = false } = checks
  const paths = expression.alternatives.flat()
  const writes = (path: Path): boolean => source.isWritten(path, call)
  const unknown = declared
    ? paths.filter((path) => !writes(path)).flatMap((path) => unknownPath(declared, path, at))
    : []
  if (unknown.length > 0) return unknown
  // Each path by itself: of paths joined by &&, one may exist in the context and another be written by the plan.
  const isThere = (path: Path): boolean =>
    writes(path) ||
    (!isWhole && isFromTheStart(path, declared)) ||
    source.isThere({ ...expression, alternatives: [[path]] }, call)
  if (expression.alternatives.some((all) => all.every(isThere))) return []
  const missing = paths.filter((path) => !isThere(path)).map(formatPath)
  return [
    found(
      'unresolved_reference',
      at,
      `a path that a Call of the plan writes`,
      `${text}, and no Call writes ${missing.join(' or ')}`,
    ),
  ]
}

/**
 * Returns true if a path can be expected in the context from the start: a required property of the declared state, or
 * any path of another kind, which Calls seldom write.
 */
function isFromTheStart(path: Path, declared: DeclaredContext | undefined): boolean {
  if (path.kind !== 'state') return true
  if (!declared) return false
  const { is } = declaredAt(declared, path)
  return is === 'required' || (is === 'undeclared' && Object.hasOwn(declared.kinds, 'state'))
}

function unknownPath(declared: DeclaredContext, path: Path, pointer: string): Found[] {
  const at = declaredAt(declared, path)
  if (at.is !== 'unknown') return []
  return [
    found(
      'invalid_path',
      pointer,
      'a path that the declared context has',
      `${formatPath(path)}, where nothing is called "${at.name}"`,
      () => at.suggestions,
    ),
  ]
}

/** Longest text of what was received, in characters: that of a Reference that could be read, with some words. */
const longestReceived = 1_200

function found(
  code: ErrorCode,
  path: string,
  expected: string,
  received: string,
  guesses: () => readonly string[] = () => [],
): Found {
  return { code, path, expected, received: shorten(received, longestReceived), guesses }
}

/**
 * Creates the error. Suggests names only for the problems in its message: a model's plan can be wrong in thousands of
 * places.
 */
function planError(found: readonly Found[]): CallError {
  const suggestions: string[] = []
  const problems = found.slice(0, mostProblems).map(({ path, expected, received, guesses }, index) => {
    const names = index < saidProblems ? guesses() : []
    suggestions.push(...names)
    const guess = names.length > 0 ? `.${suggest(names)}` : ''
    return saidProblem(path, expected, received, `expected ${expected}, got ${received}${guess}`)
  })
  const more = found.length - problems.length
  if (more > 0) problems.push(furtherProblems(more, true))
  const code = found[0]?.code ?? 'invalid_call'
  return new CallError(code, `The plan cannot run: ${listProblems(problems)}`, { problems, suggestions })
}
