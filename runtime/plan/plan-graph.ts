import type { Call, Message } from '../context/message.ts'
import type { Reader } from '../context/reader.ts'
import { type Expression, formatPath, type Path, parseExpression } from '../context/reference.ts'
import { evaluate, readerOf } from '../context/state.ts'
import { CallError } from '../errors.ts'
import { listSome } from '../problems/problem.ts'
import { circlesOf } from '../schema/circles.ts'
import { type IsParameter, readsOf } from './reads.ts'

export type { IsParameter } from './reads.ts'

/** How many Calls of a circle, and paths of each, an error names. */
const saidSteps = 10
const saidPaths = 4

/** The graph of Calls that run together: which wait for which, by their places in the list. */
export interface PlanGraph {
  /** For each Call the places of those that write what it reads. */
  readonly waitsFor: readonly (readonly number[])[]
}

/**
 * Finds which Calls have to wait for which (REQ-10). An edge is a Reference to an output path. A Reference reads what
 * the Calls before it in the list write; where none of them does and the context has nothing there either, what one
 * after it writes.
 *
 * @param planned Of the first Calls, which were planned in an earlier turn: the places of those among them that each waits for.
 * That is settled, whatever the context has by now; of the others they may wait as well.
 * @throws CallError `plan_cycle`, with the Calls of the cycle in order.
 */
export function planGraph(
  calls: readonly Call[],
  context: readonly Message[],
  isParameter: IsParameter,
  planned: PlanGraph['waitsFor'] = [],
): PlanGraph {
  const waitsFor = edgesOf(calls, context, isParameter, planned)
  const cycle = cycleIn(waitsFor)
  if (cycle) throw planCycle(cycle, calls)
  return { waitsFor }
}

/** The places of the Calls that wait for themselves, by way of each other: only what is not among them can help them. */
export function placesInCircles(
  calls: readonly Call[],
  context: readonly Message[],
  isParameter: IsParameter,
): number[] {
  const edges = edgesOf(calls, context, isParameter).map((others, place): [string, string[]] => [
    `${place}`,
    others.map(String),
  ])
  return [...circlesOf(new Map(edges)).keys()].map(Number)
}

function edgesOf(
  calls: readonly Call[],
  context: readonly Message[],
  isParameter: IsParameter,
  planned: PlanGraph['waitsFor'] = [],
): (readonly number[])[] {
  const writes = calls.map(writtenPaths)
  const near = writersByPlace(writes)
  const reader = readerOf(context)
  return calls.map((call, place) => {
    const found = new Set(planned[place])
    for (const { expression } of readsOf(call, isParameter)) {
      const there = isPresent(expression, reader, call)
      for (const path of expression.alternatives.flat()) {
        const writers = near(path).filter((index) => {
          if (place < planned.length && index < planned.length) return false
          const other = calls[index] as Call
          return isSeen(other, call) && writes[index]?.some((written) => overlaps(written, path))
        })
        const earlier = writers.filter((index) => index < place)
        const later = there ? [] : writers.filter((index) => index >= place)
        const others = later.filter((index) => index !== place)
        const chosen = earlier.length > 0 ? earlier : others.length > 0 ? others : later
        for (const index of chosen) found.add(index)
      }
    }
    return [...found].sort((left, right) => left - right)
  })
}

/**
 * The Calls that may write at a path or on the way to it, by their places in order: those of the same kind that begin
 * with the same segment, or have none. A plan of ten thousand Calls is not looked through for each Reference in it.
 */
export function writersByPlace(writes: readonly (readonly Path[])[]): (path: Path) => readonly number[] {
  const byStart = new Map<string, Set<number>>()
  const add = (start: string, index: number): void => {
    const known = byStart.get(start)
    if (known) known.add(index)
    else byStart.set(start, new Set([index]))
  }
  for (const [index, paths] of writes.entries()) {
    for (const { kind, segments } of paths) {
      add(kind, index)
      add(`${kind} ${segments[0] ?? ''}`, index)
    }
  }
  const at = (start: string): ReadonlySet<number> => byStart.get(start) ?? new Set()
  return ({ kind, segments: [first] }) => {
    if (first === undefined) return [...at(kind)]
    return [...new Set([...at(`${kind} ${first}`), ...at(`${kind} `)])].sort((left, right) => left - right)
  }
}

/** True when every Reference of the Call is there, so that it can run. */
export function isUnblocked(
  call: Call,
  context: readonly Message[] | { readonly messages: readonly Message[] },
  isParameter: IsParameter,
): boolean {
  const reader = readerOf(context)
  return readsOf(call, isParameter).every(({ expression }) => isPresent(expression, reader, call))
}

/** The References of the Call that are not there, as they are written. */
export function missingReads(
  call: Call,
  context: readonly Message[] | { readonly messages: readonly Message[] },
  isParameter: IsParameter,
): string[] {
  const reader = readerOf(context)
  const absent = readsOf(call, isParameter).filter(({ expression }) => !isPresent(expression, reader, call))
  return [...new Set(absent.map(({ text }) => text))]
}

/** Every path that a Call may write, whichever alternative it takes. */
export function writtenPaths({ _outputPath }: Call): readonly Path[] {
  const expression = typeof _outputPath === 'string' ? parseExpression(_outputPath) : null
  return expression && expression.reserved === undefined ? expression.alternatives.flat() : []
}

/** Whether the reader may see what the writer writes (INST-1). */
export function isSeen(writer: Call, reader: Call): boolean {
  const owner = ownerOf(writer)
  return owner === undefined || owner === ownerOf(reader)
}

/** The instance of a Call; null stands for none, where a Tool allows it. */
export function ownerOf({ _instance }: Call): unknown {
  return _instance ?? undefined
}

/** One lies on the way to the other. */
export function overlaps(left: Path, right: Path): boolean {
  if (left.kind !== right.kind) return false
  const shared = Math.min(left.segments.length, right.segments.length)
  return left.segments.slice(0, shared).every((segment, index) => segment === right.segments[index])
}

export function isPresent(expression: Expression, reader: Reader, { _instance }: Call): boolean {
  const instance = typeof _instance === 'string' ? _instance : undefined
  return evaluate(expression, reader, instance) !== undefined
}

/** @returns The places of one cycle, in the order in which they wait. */
function cycleIn(waitsFor: readonly (readonly number[])[]): number[] | undefined {
  const done = new Set<number>()
  for (const start of waitsFor.keys()) {
    // A walk with a stack of its own: a plan of a model may be as deep as it is long.
    const way = new Set<number>()
    const stack: { readonly place: number; readonly leaving: boolean }[] = [{ place: start, leaving: false }]
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { place, leaving } = step
      if (leaving) {
        way.delete(place)
        done.add(place)
      } else if (way.has(place)) {
        const steps = [...way]
        return steps.slice(steps.indexOf(place))
      } else if (!done.has(place)) {
        way.add(place)
        stack.push({ place, leaving: true })
        for (const next of waitsFor[place] ?? []) stack.push({ place: next, leaving: false })
      }
    }
  }
  return undefined
}

function planCycle(cycle: readonly number[], calls: readonly Call[]): CallError {
  const named = (place: number): string => {
    const call = calls[place] as Call
    const written = listSome(writtenPaths(call).map(formatPath), saidPaths, ' and ')
    return `Call ${place} of "${call._tool}", which writes ${written}`
  }
  const said = cycle.slice(0, saidSteps).map(named)
  const rest = cycle.length - said.length
  const steps = [...said, ...(rest > 0 ? [`${rest} more Calls`] : []), named(cycle[0] as number)]
  return new CallError(
    'plan_cycle',
    `The plan goes in a circle, so none of its Calls has run: ${steps.join(', waits for ')}.`,
  )
}
