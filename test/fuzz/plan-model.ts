import type { Call, Message } from 'callsheet'
import { parseExpression } from '../../runtime/context/reference.ts'
import { at, foldOracle } from '../unit/runtime/context/state/fold-oracle.ts'

interface Path {
  readonly kind: string
  readonly segments: readonly string[]
}

/** What becomes of one Call of a plan. */
export type Fate =
  | { readonly status: 'blocked' }
  | { readonly status: 'succeeded' | 'failed'; readonly of?: unknown }

/** What an Activity comes to; undefined where it fails. */
export type Act = (call: Call, of: unknown) => unknown

/** What an Activity comes to that takes one of the alternatives of its path, counted from 0. */
export class Taken {
  readonly alternative: number
  readonly data: unknown

  constructor(alternative: number, data: unknown) {
    this.alternative = alternative
    this.data = data
  }
}

/**
 * Carries out a plan the slow and obvious way (REQ-10, CALL-11): who waits for whom, then one Call after the other, each
 * with the context before the plan and what those wrote that it waits for. Undefined for a plan that is refused.
 */
export function modelPlan(calls: readonly Call[], base: readonly Message[], act: Act): Fate[] | undefined {
  const waitsFor = calls.map((call, place) => waitedFor(call, place, calls, base))
  if (waitsFor.includes(undefined)) return undefined
  const before = (place: number, way: readonly number[] = []): Set<number> => {
    if (way.includes(place)) throw new RangeError('a circle')
    const others = waitsFor[place] as number[]
    return new Set(others.flatMap((other) => [other, ...before(other, [...way, place])]))
  }
  let befores: Set<number>[]
  try {
    befores = calls.map((_, place) => before(place))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const fates: (Fate | undefined)[] = calls.map(() => undefined)
  const added: Message[][] = calls.map(() => [])
  for (let left = calls.length; left > 0; left--) {
    const place = befores.findIndex(
      (others, each) => fates[each] === undefined && [...others].every((other) => fates[other]),
    )
    const waited = [...(befores[place] as Set<number>)].sort((one, other) => one - other)
    const seen: Entry[] = [
      ...base.map((message): Entry => ({ message })),
      ...waited.flatMap((other) => {
        const writer = calls[other] as Call
        const gaps = alternatives(writer)
          .flat()
          .map((path): Entry => ({ missing: path, by: writer, wrote: added[other] as Message[] }))
        return [...gaps, ...(added[other] as Message[]).map((message): Entry => ({ message }))]
      }),
    ]
    const call = calls[place] as Call
    const fate = fateOf(call, seen, act)
    fates[place] = fate.fate
    added[place] = fate.added
  }
  return fates as Fate[]
}

/** One thing that a Call sees: a Message, or that one it waited for may not have written. */
type Entry =
  | { readonly message: Message; readonly missing?: never; readonly by?: never }
  | {
      readonly message?: never
      readonly missing: Path
      readonly by: Call
      readonly wrote: readonly Message[]
    }

/** What is written of an Activity that throws. */
const failure = { name: 'Error', code: 'activity_failed', message: 'failure' }

/** What an Activity comes to that writes a Message of its own, with the path that it writes. */
export class Said {
  readonly message: Message

  constructor(message: Message) {
    this.message = message
  }
}

function fateOf(call: Call, seen: readonly Entry[], act: Act): { fate: Fate; added: Message[] } {
  const { of: read, _instance } = call
  let of: unknown = read
  if (typeof read === 'string' && read.startsWith('†')) {
    of = readIn(read, seen, _instance as string | undefined)
    if (of === undefined) return { fate: { status: 'blocked' }, added: [] }
  }
  const isKnown = _instance === undefined || seen.some(({ message }) => message?._instance === _instance)
  // It has not run, and so writes no failure.
  if (!isKnown) return { fate: { status: 'failed' }, added: [] }
  const output = act(call, of)
  if (output instanceof Said) return { fate: { status: 'succeeded', of }, added: [output.message] }
  if (output instanceof Taken) {
    return { fate: { status: 'succeeded', of }, added: written(call, output.alternative, output.data) }
  }
  if (output !== undefined) return { fate: { status: 'succeeded', of }, added: written(call, 0, output) }
  const last = alternatives(call).length - 1
  return { fate: { status: 'failed', of }, added: last > 0 ? written(call, last, failure) : [] }
}

function readIn(text: string, seen: readonly Entry[], instance: string | undefined): unknown {
  for (const paths of parseExpression(text)?.alternatives ?? []) {
    const values = paths.map((path) =>
      isWhole(path, seen, instance) ? valueAt(path, seen, instance) : undefined,
    )
    if (!values.includes(undefined)) return values.at(-1)
  }
  return undefined
}

function valueAt({ kind, segments }: Path, seen: readonly Entry[], instance: string | undefined): unknown {
  const messages = seen.flatMap(({ message }) => message ?? [])
  return at(foldOracle(messages, kind, instance), segments)
}

/** Whether all is written that stands there: from the newest on, until what is older does not matter. */
function isWhole(path: Path, seen: readonly Entry[], instance: string | undefined): boolean {
  const of = (owner: string | undefined) =>
    seen.filter((entry) => (entry.message ?? entry.by)._instance === owner).reverse()
  const newestFirst = instance === undefined ? of(undefined) : [...of(instance), ...of(undefined)]
  const sets: Path[] = []
  for (const entry of newestFirst) {
    if (entry.missing) {
      const { missing, wrote } = entry
      const isThere = [path, missing].some((at) => wrote.some((message) => overlaps(pathOf(message), at)))
      if (overlaps(missing, path) && !isThere && !sets.some((set) => isOnTheWay(set, missing))) return false
    } else if (settles(entry.message, path, sets)) return true
  }
  return true
}

/** Whether what is older than the Message does not matter at the path; notes what it sets. */
function settles(message: Message, path: Path, sets: Path[]): boolean {
  const { kind, data, _path, _outputMethod } = message as {
    kind?: string
    data?: unknown
    _path?: string
    _outputMethod?: string
  }
  if (kind !== path.kind) return false
  if (_path === undefined) {
    let part = data
    for (const segment of path.segments) {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part !== undefined
      part = at(part, [segment])
    }
    return part !== undefined && (typeof part !== 'object' || part === null || Array.isArray(part))
  }
  if (_outputMethod !== undefined) return false
  const set = pathOf(message)
  sets.push(set)
  return isOnTheWay(set, path)
}

function isOnTheWay(left: Path, right: Path): boolean {
  return left.segments.length <= right.segments.length && overlaps(left, right)
}

function alternatives({ _outputPath }: Call): readonly (readonly Path[])[] {
  return typeof _outputPath === 'string' ? (parseExpression(_outputPath)?.alternatives ?? []) : []
}

function written(call: Call, alternative: number, value: unknown): Message[] {
  const { _outputMethod, _instance } = call
  return (alternatives(call)[alternative] ?? []).map(
    ({ kind, segments }) =>
      ({
        type: 'data',
        kind,
        data: segments.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
        _path: `†${[kind, ...segments].join('.')}`,
        ...(_outputMethod !== undefined && { _outputMethod }),
        ...(_instance !== undefined && { _instance }),
      }) as Message,
  )
}

function pathOf(message: Message): Path {
  const [kind = '', ...segments] = String(Reflect.get(message, '_path')).slice(1).split('.')
  return { kind, segments }
}

/** Those before it that write where it reads; where there is none, and nothing to read, those after it. Undefined where nobody ever writes that. */
function waitedFor(call: Call, place: number, calls: readonly Call[], base: readonly Message[]) {
  const { of: read, _instance } = call
  if (typeof read !== 'string' || !read.startsWith('†')) return []
  const expression = parseExpression(read)
  const isThere =
    readIn(
      read,
      base.map((message) => ({ message })),
      _instance as string | undefined,
    ) !== undefined
  const waited = new Set<number>()
  let isWritten = isThere
  for (const alternative of expression?.alternatives ?? []) {
    const sources = alternative.map((path) => {
      const writers = [...calls.keys()].filter((other) => {
        const writer = calls[other] as Call
        const isSeen = writer._instance === undefined || writer._instance === _instance
        return (
          isSeen &&
          alternatives(writer)
            .flat()
            .some((to) => overlaps(to, path))
        )
      })
      const earlier = writers.filter((other) => other < place)
      const others = isThere ? [] : writers.filter((other) => other > place)
      const own = isThere ? [] : writers.filter((other) => other === place)
      const chosen = [earlier, others, own].find((list) => list.length > 0) ?? []
      for (const other of chosen) waited.add(other)
      return (
        writers.length > 0 ||
        at(foldOracle(base, path.kind, _instance as string), path.segments) !== undefined
      )
    })
    if (sources.every(Boolean)) isWritten = true
  }
  return isWritten ? [...waited] : undefined
}

function overlaps(left: Path, right: Path): boolean {
  const shared = Math.min(left.segments.length, right.segments.length)
  return (
    left.kind === right.kind &&
    left.segments.slice(0, shared).join() === right.segments.slice(0, shared).join()
  )
}
