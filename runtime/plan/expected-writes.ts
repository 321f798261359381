import type { Call } from '../context/message.ts'
import type { Path } from '../context/reference.ts'
import type { PlaceSet } from './place-set.ts'
import { ownerOf, writtenPaths } from './plan-writers.ts'
import { WriteIndex } from './write-index.ts'

/** What Calls are to write, and what of it those have not that had their turn. */
export interface Expected {
  readonly meant: MeantWrites
  readonly unwritten: MeantWrites
}

export function expectedOf(calls: readonly Call[]): Expected {
  return { meant: new MeantWrites(calls), unwritten: new MeantWrites(calls) }
}

/** Where Calls of a plan are to write, whether they come to it or not. */
export class MeantWrites {
  readonly #index = new WriteIndex()
  readonly #calls: readonly Call[]

  constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  add(place: number): void {
    for (const path of this.#pathsOf(place)) this.#index.addPath(place, path)
  }

  /** The places that may be meant for a path. */
  at(path: Path): PlaceSet {
    return this.#index.at(path)
  }

  /** Whether a place was to write at the path, for one of these owners. */
  has(place: number, path: Path, owners: readonly unknown[]): boolean {
    const isOwned = owners.includes(ownerOf(this.#calls[place] as Call))
    return isOwned && this.#pathsOf(place).some((meant) => overlaps(meant, path))
  }

  #pathsOf(place: number): readonly Path[] {
    const call = this.#calls[place]
    return call ? writtenPaths(call) : []
  }
}

/** One lies on the way to the other. */
function overlaps(left: Path, right: Path): boolean {
  if (left.kind !== right.kind) return false
  const shared = Math.min(left.segments.length, right.segments.length)
  return left.segments.slice(0, shared).every((segment, index) => segment === right.segments[index])
}
