import { CopiedByCall, type CopiedData, copiedTogether } from '../context/copied-data.ts'
import { instancesOf } from '../context/instances.ts'
import { type Call, isDataMessage, type Message, messageKind } from '../context/message.ts'
import { contextInternals, type Reader } from '../context/reader.ts'
import type { Path } from '../context/reference.ts'
import { collect, foldedAt } from '../context/state.ts'
import { createStateIndex } from '../context/state-index.ts'
import { type Write, writesOf } from '../context/write.ts'
import { has, intersection, intersects, type PlaceSet, placesOf, union } from './place-set.ts'
import { isPresent } from './plan-graph.ts'
import { type IsParameter, readsOf } from './reads.ts'
import { UnwrittenPaths } from './unwritten-paths.ts'
import { WriteIndex } from './write-index.ts'

/**
 * The context that each Call of a plan sees: the one before the plan, and the Messages of the Calls that it waits for,
 * directly or not. Never those of other Calls that happen to have ended: results must not depend on the order in which
 * Calls end.
 *
 * Views copy no Messages. They share one index of what the plan has written, and each reads its own part of it.
 */
export class PlanViews {
  readonly #base: Reader
  /** For each Call, the places of all Calls that it waits for, directly or not. */
  readonly #before: readonly PlaceSet[]
  /** For each Call, whether any other waits for it. */
  readonly #isSeen: readonly boolean[]
  /** For each Call that has ended, its Messages. */
  readonly #added: (readonly Message[])[] = []
  readonly #writes = new WriteIndex()
  /** Paths that Calls which ended or were blocked did not write. */
  readonly #unwritten: UnwrittenPaths
  /** Paths that Calls which ended did not write. */
  readonly #ended: UnwrittenPaths
  readonly #copied: CopiedData
  /** For each Call that has a view, what it copies. */
  readonly #copiedBy: CopiedByCall[] = []

  /**
   * @param base Must not change any more.
   * @param copied Counts what these Calls copy, together with others.
   */
  constructor(
    base: readonly Message[],
    calls: readonly Call[],
    waitsFor: readonly (readonly number[])[],
    copied: CopiedData = copiedTogether(),
  ) {
    this.#copied = copied
    this.#base = createStateIndex(base)
    this.#before = allBefore(waitsFor)
    this.#isSeen = seenPlaces(waitsFor)
    this.#unwritten = new UnwrittenPaths(calls)
    this.#ended = new UnwrittenPaths(calls)
  }

  /** Records the Messages of a Call that has ended. */
  settle(place: number, added: readonly Message[]): void {
    this.#copiedBy[place]?.end(added)
    if (!this.#isSeen[place]) return
    this.#added[place] = added
    this.#writes.add(place, added)
    const written = pathsOf(added)
    this.#unwritten.add(place, written)
    this.#ended.add(place, written)
  }

  /**
   * Records that a Call is blocked and stays in the plan: it may still write in a later turn, but not for those that
   * wait now.
   */
  block(place: number): void {
    if (this.#isSeen[place]) this.#unwritten.add(place)
  }

  /**
   * Returns the view of a Call. Call it only after every Call that it waits for was settled or blocked; then it never
   * changes.
   */
  of(place: number): Reader {
    const copied = new CopiedByCall(this.#copied)
    this.#copiedBy[place] = copied
    return this.#view(this.#before[place], this.#unwritten, copied)
  }

  /**
   * Lists the References of a blocked Call that must not be read in a later turn: the Calls that were to write there
   * have ended without writing, and the later context has an unrelated value there.
   *
   * @param later The context of the later turn.
   */
  lostReads(place: number, call: Call, later: Reader, isParameter: IsParameter): string[] {
    const ended = this.#view(this.#before[place], this.#ended)
    const lost = readsOf(call, isParameter).filter(({ expression }) =>
      // Each alternative by itself: if the first is still to be written, a later turn would read the second.
      expression.alternatives.some((paths) => {
        const alone = { ...expression, alternatives: [paths] }
        return !isPresent(alone, ended, call) && isPresent(alone, later, call)
      }),
    )
    return [...new Set(lost.map(({ text }) => text))]
  }

  /**
   * Lists the places of the Calls that ended without writing data, so that a path which this Call reads has no value.
   */
  missedBy(place: number, call: Call, isParameter: IsParameter): number[] {
    const before = this.#before[place]
    const unwritten = this.#ended
    const ended = this.#view(before, this.#ended)
    const instance = typeof call._instance === 'string' ? call._instance : undefined
    const owners = ownersSeenIn(instance)
    const paths = readsOf(call, isParameter).flatMap(({ expression }) => expression.alternatives.flat())
    const missed = paths
      .filter((path) => ended.read(path, instance) === undefined)
      .flatMap((path) =>
        [...intersection(unwritten.at(path), before)].filter(
          (other) => !this.#added[other]?.some(isDataMessage) && unwritten.has(other, path, owners),
        ),
      )
    return [...new Set(missed)]
  }

  #view(before: PlaceSet, unwritten: UnwrittenPaths, copied?: CopiedByCall): Reader {
    const view = new PlanView(this.#base, before, this.#added, this.#writes, unwritten, copied)
    contextInternals.set(view, { reader: view })
    return view
  }
}

/** The context that one Call of a plan sees. */
class PlanView implements Reader {
  readonly copied: CopiedByCall | undefined
  readonly #base: Reader
  readonly #before: PlaceSet
  readonly #added: readonly (readonly Message[])[]
  readonly #writes: WriteIndex
  readonly #unwritten: UnwrittenPaths
  /** What was read before: a model can let a Call read one path a thousand times. */
  readonly #known = new Map<string, unknown>()
  #messages: readonly Message[] | undefined

  constructor(
    base: Reader,
    before: PlaceSet,
    added: readonly (readonly Message[])[],
    writes: WriteIndex,
    unwritten: UnwrittenPaths,
    copied: CopiedByCall | undefined,
  ) {
    this.copied = copied
    this.#base = base
    this.#before = before
    this.#added = added
    this.#writes = writes
    this.#unwritten = unwritten
  }

  /** Lists the Messages in the order of the plan. Built on first access. */
  get messages(): readonly Message[] {
    if (this.#before === undefined) return this.#base.messages
    this.#messages ??= [
      ...this.#base.messages,
      ...placesOf(this.#before).flatMap((place) => this.#added[place] ?? []),
    ]
    return this.#messages
  }

  read(path: Path, instance?: string): unknown {
    if (this.#before === undefined) return this.#base.read(path, instance)
    const key = JSON.stringify([instance, path.kind, path.segments])
    if (!this.#known.has(key)) this.#known.set(key, this.#read(path, instance))
    return this.#known.get(key)
  }

  #read(path: Path, instance: string | undefined): unknown {
    // The instance's own Messages first, then the global ones, as if those were older (INST-1).
    const owners = ownersSeenIn(instance)
    const places = this.#placesFor(path, instance)
    const gaps = this.#unwritten.at(path)
    if (!intersects(union(places, gaps), this.#before)) return this.#base.read(path, instance)
    const found: Write[] = []
    for (const owner of owners) {
      for (const place of intersection(union(places, gaps), this.#before)) {
        // A write is missing here: what older Messages hold is outdated or incomplete, so the path has no value.
        if (has(gaps, place) && this.#unwritten.has(place, path, [owner], found)) return undefined
        if (collect(this.#added[place] ?? [], path, owner, found)) return foldedAt(found, path)
      }
      if (collect(this.#base.messages, path, owner, found)) break
    }
    return foldedAt(found, path)
  }

  hasInstance(instance: string): boolean {
    return intersects(this.#writes.ofInstance(instance), this.#before) || this.#base.hasInstance(instance)
  }

  instances(): readonly string[] {
    return instancesOf(this.messages)
  }

  /**
   * Returns the places whose writes may affect the value at the path. For an instance, its own Messages from before the
   * plan count as newer than global ones of the plan. If they write into a list, any write to the kind may matter,
   * since a write to a neighbouring path may have turned the list into an object.
   */
  #placesFor(path: Path, instance: string | undefined): PlaceSet {
    const { kind, segments } = path
    const isList = (_: string, depth: number): boolean =>
      Array.isArray(this.#base.read({ kind, segments: segments.slice(0, depth) }))
    const dependsOnNeighbours = instance !== undefined && segments.some(isList)
    return dependsOnNeighbours ? this.#writes.ofKind(kind) : this.#writes.at(path)
  }
}

/** Lists the paths that Messages write to. */
function pathsOf(messages: readonly Message[]): Path[] {
  return messages
    .filter(isDataMessage)
    .flatMap((message) => writesOf(message).map(({ segments }) => ({ kind: messageKind(message), segments })))
}

/** Lists the owners whose Messages an instance reads, its own first (INST-1); undefined is the global owner. */
function ownersSeenIn(instance: string | undefined): readonly (string | undefined)[] {
  return instance === undefined ? [undefined] : [instance, undefined]
}

/** Returns for each Call whether any other waits for it. */
function seenPlaces(waitsFor: readonly (readonly number[])[]): boolean[] {
  const seen = waitsFor.map(() => false)
  for (const others of waitsFor) for (const other of others) seen[other] = true
  return seen
}

/**
 * Collects for each Call all that it waits for, directly or not. With an explicit stack: a plan may be as deep as it is
 * long.
 */
function allBefore(waitsFor: readonly (readonly number[])[]): readonly PlaceSet[] {
  const before: PlaceSet[] = []
  const known = new Set<number>()
  for (const start of waitsFor.keys()) {
    const stack = [start]
    for (let place = stack.at(-1); place !== undefined; place = stack.at(-1)) {
      const others = waitsFor[place] ?? []
      const unknown = known.has(place) ? [] : others.filter((other) => !known.has(other))
      if (unknown.length > 0) {
        for (const other of unknown) stack.push(other)
        continue
      }
      stack.pop()
      if (known.has(place)) continue
      known.add(place)
      let all: PlaceSet
      for (const other of others.toReversed()) {
        // A Call comes with all that it waits for. Latest first: that one mostly includes the others.
        if (!has(all, other)) all = union(union(all, before[other]), other)
      }
      before[place] = all
    }
  }
  return before
}
