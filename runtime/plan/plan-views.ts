import { instancesOf } from '../context/instances.ts'
import { type Call, isDataMessage, type Message, messageKind } from '../context/message.ts'
import { contextInternals, type Reader } from '../context/reader.ts'
import type { Path } from '../context/reference.ts'
import { collect, foldedAt } from '../context/state.ts'
import { createStateIndex } from '../context/state-index.ts'
import { type Write, writesOf } from '../context/write.ts'
import { common, has, meets, type PlaceSet, placesOf, union } from './place-set.ts'
import { isPresent } from './plan-graph.ts'
import { type IsParameter, readsOf } from './reads.ts'
import { UnwrittenPaths } from './unwritten-paths.ts'
import { WriteIndex } from './write-index.ts'

/**
 * What each Call of a plan sees: the context before the plan, and what the Calls add that it waits for, directly or
 * not. Never what happens to have ended: the order in which Calls end must not show.
 *
 * Views copy no Messages. They share one index of what the plan has written, and each looks at its own part of it.
 */
export class PlanViews {
  readonly #base: Reader
  readonly #before: readonly PlaceSet[]
  readonly #isSeen: readonly boolean[]
  readonly #added: (readonly Message[])[] = []
  readonly #writes = new WriteIndex()
  /** Of those that are over, or stay in the plan for now. */
  readonly #unwritten: UnwrittenPaths
  /** Of those that are over. */
  readonly #ended: UnwrittenPaths
  /** The view of all Calls that wait for none. */
  readonly #first: Reader

  /** @param base May not change any more. */
  constructor(base: readonly Message[], calls: readonly Call[], waitsFor: readonly (readonly number[])[]) {
    this.#base = createStateIndex(base)
    this.#before = allBefore(waitsFor)
    this.#isSeen = seenPlaces(waitsFor)
    this.#unwritten = new UnwrittenPaths(calls)
    this.#ended = new UnwrittenPaths(calls)
    this.#first = this.#view(undefined, this.#unwritten)
  }

  /** Tells what a Call has added, once it is over. */
  settle(place: number, added: readonly Message[]): void {
    if (!this.#isSeen[place]) return
    this.#added[place] = added
    this.#writes.add(place, added)
    const written = pathsOf(added)
    this.#unwritten.add(place, written)
    this.#ended.add(place, written)
  }

  /** Tells that a Call stays in the plan: it may still write, but not for those that wait for it now. */
  block(place: number): void {
    if (this.#isSeen[place]) this.#unwritten.add(place)
  }

  /** To be asked for when all that the Call waits for is settled or blocked; later it is still the same. */
  of(place: number): Reader {
    const before = this.#before[place]
    return before === undefined ? this.#first : this.#view(before, this.#unwritten)
  }

  /**
   * The References of a Call to what others were to write, which are over and have not: a later turn would read something else there.
   *
   * @param later The context of that turn.
   */
  lostReads(place: number, call: Call, later: Reader, isParameter: IsParameter): string[] {
    const ended = this.#view(this.#before[place], this.#ended)
    const lost = readsOf(call, isParameter).filter(({ expression }) =>
      // Each for itself: while one may still be written, a later turn could go on to the next.
      expression.alternatives.some((paths) => {
        const alone = { ...expression, alternatives: [paths] }
        return !isPresent(alone, ended, call) && isPresent(alone, later, call)
      }),
    )
    return [...new Set(lost.map(({ text }) => text))]
  }

  /** Those that the Call waited for, and that are over and have not written what it reads, where nothing has replaced that. */
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
        [...common(unwritten.at(path), before)].filter(
          (other) => !this.#added[other]?.some(isDataMessage) && unwritten.has(other, path, owners),
        ),
      )
    return [...new Set(missed)]
  }

  #view(before: PlaceSet, unwritten: UnwrittenPaths): Reader {
    const view = new PlanView(this.#base, before, this.#added, this.#writes, unwritten)
    contextInternals.set(view, { reader: view })
    return view
  }
}

class PlanView implements Reader {
  readonly #base: Reader
  readonly #before: PlaceSet
  readonly #added: readonly (readonly Message[])[]
  readonly #writes: WriteIndex
  readonly #unwritten: UnwrittenPaths
  #messages: readonly Message[] | undefined

  constructor(
    base: Reader,
    before: PlaceSet,
    added: readonly (readonly Message[])[],
    writes: WriteIndex,
    unwritten: UnwrittenPaths,
  ) {
    this.#base = base
    this.#before = before
    this.#added = added
    this.#writes = writes
    this.#unwritten = unwritten
  }

  /** As a list, in the order of the plan: made when it is first looked at. */
  get messages(): readonly Message[] {
    if (this.#before === undefined) return this.#base.messages
    this.#messages ??= [
      ...this.#base.messages,
      ...placesOf(this.#before).flatMap((place) => this.#added[place] ?? []),
    ]
    return this.#messages
  }

  read(path: Path, instance?: string): unknown {
    // Its own first, and then what is global, as if that were older (INST-1).
    const owners = ownersSeenIn(instance)
    const places = this.#placesFor(path, instance)
    const gaps = this.#unwritten.at(path)
    if (!meets(union(places, gaps), this.#before)) return this.#base.read(path, instance)
    const found: Write[] = []
    for (const owner of owners) {
      for (const place of common(union(places, gaps), this.#before)) {
        // Under what was to be written here stands what it was to replace, or a part is missing.
        if (has(gaps, place) && this.#unwritten.has(place, path, [owner], found)) return undefined
        if (collect(this.#added[place] ?? [], path, owner, found)) return foldedAt(found, path)
      }
      if (collect(this.#base.messages, path, owner, found)) break
    }
    return foldedAt(found, path)
  }

  hasInstance(instance: string): boolean {
    return meets(this.#writes.ofInstance(instance), this.#before) || this.#base.hasInstance(instance)
  }

  instances(): readonly string[] {
    return instancesOf(this.messages)
  }

  /**
   * An instance's own Messages from before the plan count as newer than what is global in it. Where they meet a list, it
   * matters whether a write beside the way has made it an object, so that none is left out.
   */
  #placesFor(path: Path, instance: string | undefined): PlaceSet {
    const { kind, segments } = path
    const isList = (_: string, depth: number): boolean =>
      Array.isArray(this.#base.read({ kind, segments: segments.slice(0, depth) }))
    const hangsOnOthers = instance !== undefined && segments.some(isList)
    return hangsOnOthers ? this.#writes.ofKind(kind) : this.#writes.at(path)
  }
}

/** Where Messages write. */
function pathsOf(messages: readonly Message[]): Path[] {
  return messages
    .filter(isDataMessage)
    .flatMap((message) => writesOf(message).map(({ segments }) => ({ kind: messageKind(message), segments })))
}

/** Whose Messages are read in an instance, its own first (INST-1). */
function ownersSeenIn(instance: string | undefined): readonly (string | undefined)[] {
  return instance === undefined ? [undefined] : [instance, undefined]
}

/** For each Call whether any other waits for it. */
function seenPlaces(waitsFor: readonly (readonly number[])[]): boolean[] {
  const seen = waitsFor.map(() => false)
  for (const others of waitsFor) for (const other of others) seen[other] = true
  return seen
}

/** For each Call all that it waits for. A walk with a stack of its own: a plan may be as deep as it is long. */
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
        // With a Call comes all that it waits for: mostly the last brings the others along.
        if (!has(all, other)) all = union(union(all, before[other]), other)
      }
      before[place] = all
    }
  }
  return before
}
