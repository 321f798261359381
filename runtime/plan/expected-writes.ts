import type { Call } from '../context/message.ts'
import type { Path } from '../context/reference.ts'
import { isIndex, type Write } from '../context/write.ts'
import type { PlaceSet } from './place-set.ts'
import { overlaps, ownerOf, writtenPaths } from './plan-writers.ts'
import { WriteIndex } from './write-index.ts'

/** Where Calls of a plan are to write, and where those of them that are over have written nothing. */
export interface Expected {
  readonly meant: MeantWrites
  readonly unwritten: MeantWrites
}

/** Makes the pair, with no Call in it yet. */
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

  /**
   * Whether a place was to write at the path, for one of these owners.
   *
   * @param newer What was written after it: what that replaces does not count.
   */
  has(place: number, path: Path, owners: readonly unknown[], newer: readonly Write[] = []): boolean {
    const isOwned = owners.includes(ownerOf(this.#calls[place] as Call))
    return isOwned && this.#pathsOf(place).some((meant) => overlaps(meant, path) && !isReplaced(meant, newer))
  }

  #pathsOf(place: number): readonly Path[] {
    const call = this.#calls[place]
    return call ? writtenPaths(call) : []
  }
}

/** Whether one of the writes to its kind sets all that stands at the path. An index means another item once the list around it is known. */
function isReplaced({ segments }: Path, newer: readonly Write[]): boolean {
  return newer.some(
    ({ method, segments: set }) =>
      method === 'set' && set.every((segment, index) => segment === segments[index] && !isIndex(segment)),
  )
}
