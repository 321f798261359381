import { instancesOf } from '../context/instances.ts'
import type { Call, Message } from '../context/message.ts'
import { contextInternals, type Reader } from '../context/reader.ts'
import type { Path } from '../context/reference.ts'
import { collect, collectFrom, foldedAt } from '../context/state.ts'
import { createStateIndex } from '../context/state-index.ts'
import type { Write } from '../context/write.ts'
import { common, has, meets, type PlaceSet, placesOf, union } from './place-set.ts'
import { ownerOf, writtenPaths } from './plan-graph.ts'
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
  readonly #meant: MeantWrites
  /** The view of all Calls that wait for none. */
  readonly #first: Reader

  /** @param base May not change any more. */
  constructor(base: readonly Message[], calls: readonly Call[], waitsFor: readonly (readonly number[])[]) {
    this.#base = createStateIndex(base)
    this.#before = allBefore(waitsFor)
    this.#isSeen = seenPlaces(waitsFor)
    this.#meant = new MeantWrites(calls, this.#isSeen)
    this.#first = this.#view(undefined)
  }

  /** Tells what a Call has added, once it is over. */
  settle(place: number, added: readonly Message[]): void {
    if (!this.#isSeen[place]) return
    this.#added[place] = added
    this.#writes.add(place, added)
  }

  /** To be asked for when all that the Call waits for is settled; later it is still the same. */
  of(place: number): Reader {
    const before = this.#before[place]
    return before === undefined ? this.#first : this.#view(before)
  }

  #view(before: PlaceSet): Reader {
    const view = new PlanView(this.#base, before, this.#added, this.#writes, this.#meant)
    contextInternals.set(view, { reader: view })
    return view
  }
}

/** What the Calls of a plan are to write, whether they come to it or not. */
class MeantWrites {
  readonly #index = new WriteIndex()
  readonly #calls: readonly Call[]

  constructor(calls: readonly Call[], isSeen: readonly boolean[]) {
    this.#calls = calls
    for (const [place, call] of calls.entries()) {
      if (isSeen[place]) for (const path of writtenPaths(call)) this.#index.addPath(place, path)
    }
  }

  /** Whether one of these places was to write at the path, where the instance would see it. */
  has(path: Path, instance: string | undefined, before: PlaceSet): boolean {
    for (const place of common(this.#index.at(path), before)) {
      const owner = ownerOf(this.#calls[place] as Call)
      if (owner === undefined || owner === instance) return true
    }
    return false
  }
}

class PlanView implements Reader {
  readonly #base: Reader
  readonly #before: PlaceSet
  readonly #added: readonly (readonly Message[])[]
  readonly #writes: WriteIndex
  readonly #meant: MeantWrites
  #messages: readonly Message[] | undefined

  constructor(
    base: Reader,
    before: PlaceSet,
    added: readonly (readonly Message[])[],
    writes: WriteIndex,
    meant: MeantWrites,
  ) {
    this.#meant = meant
    this.#base = base
    this.#before = before
    this.#added = added
    this.#writes = writes
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
    const places = this.#placesFor(path, instance)
    if (!meets(places, this.#before)) {
      // What stood there before is not what the Call waited for.
      return this.#meant.has(path, instance, this.#before) ? undefined : this.#base.read(path, instance)
    }
    const found: Write[] = []
    // Its own first, and then what is global, as if that were older (INST-1).
    for (const owner of instance === undefined ? [undefined] : [instance, undefined]) {
      if (collectFrom(this.#newestFirst(places), path, owner, found)) break
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

  *#newestFirst(places: PlaceSet): Generator<Message> {
    for (const place of common(places, this.#before)) {
      const added = this.#added[place] ?? []
      for (let index = added.length - 1; index >= 0; index--) yield added[index] as Message
    }
  }
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
