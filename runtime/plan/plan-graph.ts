import type { Call, Message } from '../context/message.ts'
import type { Reader } from '../context/reader.ts'
import { type Expression, formatPath } from '../context/reference.ts'
import { evaluate, readerOf } from '../context/state.ts'
import { CallError } from '../errors.ts'
import { listSome } from '../problems/problem.ts'
import { circlesOf } from '../schema/circles.ts'
import { countBefore, PlanWriters, writtenPaths } from './plan-writers.ts'
import { type IsParameter, readsOf } from './reads.ts'

export type { IsParameter } from './reads.ts'

/** How many Calls of a cycle, and paths of each, an error names. */
const namedSteps = 10
const namedPaths = 4

/** The dependency graph of Calls that run together, by their places (indexes in the list). */
export interface PlanGraph {
  /** For each Call, the places of the Calls that write what it reads. */
  readonly waitsFor: readonly (readonly number[])[]
}

/**
 * Finds which Calls have to wait for which (REQ-10). An edge is a Reference to an output path. A Reference reads what
 * earlier Calls in the list write. If none of them writes there and the context has no value either, it reads what
 * later Calls write.
 *
 * @param planned The edges between the first Calls, if those were planned in an earlier turn: they are kept, whatever
 * the context contains by now. These Calls may wait for new ones in addition.
 * @throws CallError `plan_cycle`, with the Calls of the cycle in order.
 */
export function planGraph(
  calls: readonly Call[],
  context: readonly Message[],
  isParameter: IsParameter,
  planned: PlanGraph['waitsFor'] = [],
): PlanGraph {
  const waitsFor = edgesOf(calls, context, isParameter, planned)
  const cycle = findCycle(waitsFor)
  if (cycle) throw cycleError(cycle, calls)
  return { waitsFor }
}

/** Lists the places of the Calls on any cycle: only a Call outside of it could unblock them. */
export function placesOnCycles(
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
  const writers = new PlanWriters(calls)
  const reader = readerOf(context)
  return calls.map((call, place) => {
    const found = new Set(planned[place])
    // A planned Call keeps its edges to planned Calls, so only new Calls are considered.
    const isPlanned = place < planned.length
    const firstLater = isPlanned ? planned.length : place
    for (const { expression } of readsOf(call, isParameter)) {
      const there = isPresent(expression, reader, call)
      for (const path of expression.alternatives.flat()) {
        const lists = writers.of(path, call)
        const earlier = isPlanned ? [] : lists.flatMap((list) => list.slice(0, countBefore(list, place)))
        const later =
          there || earlier.length > 0
            ? []
            : lists.flatMap((list) => list.slice(countBefore(list, firstLater)))
        const others = later.filter((index) => index !== place)
        const chosen = earlier.length > 0 ? earlier : others.length > 0 ? others : later
        for (const index of chosen) found.add(index)
      }
    }
    return [...found].sort((left, right) => left - right)
  })
}

/** Returns true if every Reference of the Call has a value, so that it can run. */
export function isUnblocked(
  call: Call,
  context: readonly Message[] | { readonly messages: readonly Message[] },
  isParameter: IsParameter,
): boolean {
  const reader = readerOf(context)
  return readsOf(call, isParameter).every(({ expression }) => isPresent(expression, reader, call))
}

/** Lists the References of the Call that have no value, as they are written in it. */
export function missingReads(
  call: Call,
  context: readonly Message[] | { readonly messages: readonly Message[] },
  isParameter: IsParameter,
): string[] {
  const reader = readerOf(context)
  const absent = readsOf(call, isParameter).filter(({ expression }) => !isPresent(expression, reader, call))
  return [...new Set(absent.map(({ text }) => text))]
}

/** Returns true if the Reference has a value for the Call's instance (INST-1). */
export function isPresent(expression: Expression, reader: Reader, { _instance }: Call): boolean {
  const instance = typeof _instance === 'string' ? _instance : undefined
  return evaluate(expression, reader, instance) !== undefined
}

/** Finds a cycle by depth-first search. @returns Its places, each waiting for the next; undefined if there is none. */
function findCycle(waitsFor: readonly (readonly number[])[]): number[] | undefined {
  const done = new Set<number>()
  for (const start of waitsFor.keys()) {
    // An explicit stack instead of recursion: a model's plan may be as deep as it is long.
    const path = new Set<number>()
    const stack: { readonly place: number; readonly leaving: boolean }[] = [{ place: start, leaving: false }]
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { place, leaving } = step
      if (leaving) {
        path.delete(place)
        done.add(place)
      } else if (path.has(place)) {
        const steps = [...path]
        return steps.slice(steps.indexOf(place))
      } else if (!done.has(place)) {
        path.add(place)
        stack.push({ place, leaving: true })
        for (const next of waitsFor[place] ?? []) stack.push({ place: next, leaving: false })
      }
    }
  }
  return undefined
}

function cycleError(cycle: readonly number[], calls: readonly Call[]): CallError {
  const describe = (place: number): string => {
    const call = calls[place] as Call
    const written = listSome(writtenPaths(call).map(formatPath), namedPaths, ' and ')
    return `Call ${place} of "${call._tool}", which writes ${written}`
  }
  const named = cycle.slice(0, namedSteps).map(describe)
  const rest = cycle.length - named.length
  const steps = [...named, ...(rest > 0 ? [`${rest} more Calls`] : []), describe(cycle[0] as number)]
  return new CallError(
    'plan_cycle',
    `The plan has a cycle, so none of its Calls has run: ${steps.join(', waits for ')}.`,
  )
}
