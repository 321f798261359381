import type { Call, Message } from '../context/message.ts'
import type { Reader } from '../context/reader.ts'
import type { Path } from '../context/reference.ts'
import { readerOf } from '../context/state.ts'
import { isPresent } from './plan-graph.ts'
import { ownerOf, writtenPaths } from './plan-writers.ts'
import { type IsParameter, readsOf } from './reads.ts'

/** Who writes at a path: the instances of the Calls, undefined among them for those of none. */
type Writers = Set<unknown>

interface Node {
  readonly here: Writers
  /** Those who write here or further in. */
  readonly within: Writers
  readonly below: Map<string, Node>
}

/**
 * A plan whose Calls come one by one. Says of each whether it can run whatever follows, at a cost that does not grow with
 * the plan: a model may write ten thousand.
 */
export class ComingPlan {
  readonly #reader: Reader
  readonly #isParameter: IsParameter
  readonly #kinds = new Map<string, Node>()
  /** Set by a Call that reads what only a later one can write: without one no plan goes in a circle. */
  #mayGoInCircle = false

  constructor(context: readonly Message[], isParameter: IsParameter) {
    this.#reader = readerOf(context)
    this.#isParameter = isParameter
  }

  /**
   * Adds the next Call.
   *
   * @returns True when all that it reads is there, and is written by none of the Calls before it.
   */
  add(call: Call): boolean {
    const owner = ownerOf(call)
    let isFree = true
    for (const { expression } of readsOf(call, this.#isParameter)) {
      const isThere = isPresent(expression, this.#reader, call)
      const paths = expression.alternatives.flat()
      const written = paths.filter((path) => this.#isWritten(path, owner))
      if (!isThere || written.length > 0) isFree = false
      if (!isThere && written.length < paths.length) this.#mayGoInCircle = true
    }
    for (const path of writtenPaths(call)) this.#write(path, owner)
    return isFree && !this.#mayGoInCircle
  }

  #write({ kind, segments }: Path, instance: unknown): void {
    let node = nodeAt(this.#kinds, kind)
    node.within.add(instance)
    for (const segment of segments) {
      node = nodeAt(node.below, segment)
      node.within.add(instance)
    }
    node.here.add(instance)
  }

  /** Whether a Call has written at the path, on the way to it or further in, where this instance sees it (INST-1). */
  #isWritten({ kind, segments }: Path, instance: unknown): boolean {
    const isSeen = (writers: Writers): boolean => writers.has(undefined) || writers.has(instance)
    let node = this.#kinds.get(kind)
    for (const segment of segments) {
      if (!node || isSeen(node.here)) break
      node = node.below.get(segment)
    }
    return node !== undefined && isSeen(node.within)
  }
}

function nodeAt(nodes: Map<string, Node>, name: string): Node {
  const known = nodes.get(name)
  if (known) return known
  const made: Node = { here: new Set(), within: new Set(), below: new Map() }
  nodes.set(name, made)
  return made
}
