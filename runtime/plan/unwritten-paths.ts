import type { Call } from '../context/message.ts'
import type { Path } from '../context/reference.ts'
import { isIndex, type Write } from '../context/write.ts'
import type { PlaceSet } from './place-set.ts'
import { overlaps, ownerOf, writtenPaths } from './plan-writers.ts'
import { WriteIndex } from './write-index.ts'

/** The paths that Calls of a plan were to write, and did not, although they have ended or were blocked. */
export class UnwrittenPaths {
  readonly #index = new WriteIndex()
  readonly #calls: readonly Call[]
  /**
   * What Calls wrote that did not write all of their paths, for example because an error went to another alternative.
   */
  readonly #written = new Map<number, readonly Path[]>()

  constructor(calls: readonly Call[]) {
    this.#calls = calls
  }

  /**
   * Adds the paths that a Call did not write.
   *
   * @param written The paths that it did write; a path that overlaps one of them counts as written.
   */
  add(place: number, written: readonly Path[] = []): void {
    const missing = this.#pathsOf(place).filter((path) => !written.some((other) => overlaps(other, path)))
    if (missing.length > 0 && written.length > 0) this.#written.set(place, written)
    for (const path of missing) this.#index.addPath(place, path)
  }

  /** Returns the places of the Calls that may have been meant to write to a path; `has` decides. */
  at(path: Path): PlaceSet {
    return this.#index.at(path)
  }

  /**
   * Returns true if a Call was to write to the path, for one of these owners, and did not.
   *
   * @param newer Writes of later Calls: a missing write that they replace does not count.
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

/**
 * Returns true if one of the writes replaces everything at the path. Not through an index: it may mean another item,
 * depending on the list around it.
 */
function isReplaced({ segments }: Path, newer: readonly Write[]): boolean {
  return newer.some(
    ({ method, segments: set }) =>
      method === 'set' && set.every((segment, index) => segment === segments[index] && !isIndex(segment)),
  )
}
