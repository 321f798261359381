import type { Call } from '../context/message.ts'
import { type Path, parseExpression } from '../context/reference.ts'

/** Places of Calls, lowest first. */
type Places = readonly number[]

interface Node {
  /** Places of the Calls that write to this path itself. */
  readonly here: number[]
  /** Places of the Calls that write to this path or below it. */
  readonly within: number[]
  readonly below: Map<string, Node>
}

/**
 * Finds the Calls of a plan that write where a Reference reads: to its path, above it or below it, as far as the
 * reader's instance sees it (INST-1). A lookup costs the depth of the path and the size of the result: it does not scan
 * a plan of ten thousand Calls that all write below one name.
 */
export class PlanWriters {
  /** Trees of written paths, by the instance of the Calls (undefined for none) and by kind. */
  readonly #owners = new Map<unknown, Map<string, Node>>()

  constructor(calls: readonly Call[]) {
    for (const [place, call] of calls.entries()) {
      for (const path of writtenPaths(call)) this.#add(place, path, ownerOf(call))
    }
  }

  /** Returns the writers as several lists, which the caller joins: copying them would cost too much. */
  of(path: Path, reader: Call): Places[] {
    const owner = ownerOf(reader)
    const found: Places[] = []
    for (const seen of owner === undefined ? [owner] : [undefined, owner]) {
      let node = this.#owners.get(seen)?.get(path.kind)
      for (const segment of path.segments) {
        if (node && node.here.length > 0) found.push(node.here)
        node = node?.below.get(segment)
      }
      if (node) found.push(node.within)
    }
    return found
  }

  #add(place: number, { kind, segments }: Path, owner: unknown): void {
    const kinds = this.#owners.get(owner) ?? new Map<string, Node>()
    this.#owners.set(owner, kinds)
    let node = nodeAt(kinds, kind)
    addLast(node.within, place)
    for (const segment of segments) {
      node = nodeAt(node.below, segment)
      addLast(node.within, place)
    }
    addLast(node.here, place)
  }
}

/** Lists every path that a Call may write to, in any alternative of its `_outputPath`. */
export function writtenPaths({ _outputPath }: Call): readonly Path[] {
  const expression = typeof _outputPath === 'string' ? parseExpression(_outputPath) : null
  return expression && expression.reserved === undefined ? expression.alternatives.flat() : []
}

/** Returns the instance of a Call; undefined if it has none or, where a Tool allows it, null. */
export function ownerOf({ _instance }: Call): unknown {
  return _instance ?? undefined
}

/** Returns true if the paths are equal or one is above the other. */
export function overlaps(left: Path, right: Path): boolean {
  if (left.kind !== right.kind) return false
  const shared = Math.min(left.segments.length, right.segments.length)
  return left.segments.slice(0, shared).every((segment, index) => segment === right.segments[index])
}

/** Counts the places that are lower than `place`, by binary search. */
export function countBefore(places: Places, place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] as number) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Appends a place unless it is the last already: a Call may write several times below one path. */
function addLast(places: number[], place: number): void {
  if (places.at(-1) !== place) places.push(place)
}

function nodeAt(nodes: Map<string, Node>, name: string): Node {
  const known = nodes.get(name)
  if (known) return known
  const made: Node = { here: [], within: [], below: new Map() }
  nodes.set(name, made)
  return made
}
