import type { Call } from '../context/message.ts'
import { type Path, parseExpression } from '../context/reference.ts'

/** Places of Calls, lowest first. */
type Places = readonly number[]

interface Node {
  /** Of those that write here. */
  readonly here: number[]
  /** Of those that write here or further in. */
  readonly within: number[]
  readonly below: Map<string, Node>
}

/**
 * Says which Calls of a plan write where a Reference reads: on the way to its path, at it or further in, as far as the
 * reader's instance sees it (INST-1). Costs the depth of the path and what is found: a plan of ten thousand Calls, which
 * all write below one name, is not looked through for each Reference in it.
 */
export class PlanWriters {
  /** By the instance of the Calls, which is undefined for none, and by kind. */
  readonly #owners = new Map<unknown, Map<string, Node>>()

  constructor(calls: readonly Call[]) {
    for (const [place, call] of calls.entries()) {
      for (const path of writtenPaths(call)) this.#add(place, path, ownerOf(call))
    }
  }

  /** Lists of which each has some of the writers. */
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

/** Every path that a Call may write, whichever alternative it takes. */
export function writtenPaths({ _outputPath }: Call): readonly Path[] {
  const expression = typeof _outputPath === 'string' ? parseExpression(_outputPath) : null
  return expression && expression.reserved === undefined ? expression.alternatives.flat() : []
}

/** The instance of a Call; null stands for none, where a Tool allows it. */
export function ownerOf({ _instance }: Call): unknown {
  return _instance ?? undefined
}

/** One lies on the way to the other. */
export function overlaps(left: Path, right: Path): boolean {
  if (left.kind !== right.kind) return false
  const shared = Math.min(left.segments.length, right.segments.length)
  return left.segments.slice(0, shared).every((segment, index) => segment === right.segments[index])
}

/** How many of the places come before that one. */
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

/** A Call may write twice in one place. */
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
