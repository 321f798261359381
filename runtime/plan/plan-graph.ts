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
  const writers = new PlanWriters(calls)
  const reader = readerOf(context)
  return calls.map((call, place) => {
    const found = new Set(planned[place])
    // Which of the planned Calls it waits for is settled.
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

/** True when the Reference has a value where the Call's instance reads (INST-1). */
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
