import type { Call } from '../context/message.ts'
import type { Path } from '../context/reference.ts'
import { isIndex, type Write } from '../context/write.ts'
import type { PlaceSet } from './place-set.ts'
import { overlaps, ownerOf, writtenPaths } from './plan-writers.ts'
import { WriteIndex } from './write-index.ts'

/** Where Calls of a plan that had their turn were to write, and have not. */
export class UnwrittenPaths {
  readonly #index = new WriteIndex()
  readonly #calls: readonly Call[]
  /** Of those that wrote beside what they were to write, as an error goes to another alternative: where. */
  readonly #written = new Map<number, readonly Path[]>()

  constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  /** @param written Where it has written: what overlaps that is there. */
  add(place: number, written: readonly Path[] = []): void {
    const missing = this.#pathsOf(place).filter((path) => !written.some((other) => overlaps(other, path)))
    if (missing.length > 0 && written.length > 0) this.#written.set(place, written)
    for (const path of missing) this.#index.addPath(place, path)
  }

  /** The places that may have been to write at a path. */
  at(path: Path): PlaceSet {
    return this.#index.at(path)
  }

  /**
   * Whether a place was to write at the path, for one of these owners, and has not.
   *
   * @param newer What was written after it: what that replaces does not count.
   */
  has(place: number, path: Path, owners: readonly unknown[], newer: readonly Write[] = []): boolean {
    if (this.#written.get(place)?.some((written) => overlaps(written, path))) return false
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
