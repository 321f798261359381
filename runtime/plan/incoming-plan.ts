import type { Call, Message } from '../context/message.ts'
import type { Reader } from '../context/reader.ts'
import type { Path } from '../context/reference.ts'
import { readerOf } from '../context/state.ts'
import { isPresent } from './plan-graph.ts'
import { ownerOf, writtenPaths } from './plan-writers.ts'
import { type IsParameter, readsOf } from './reads.ts'

/** The instances of the Calls that write to a path; undefined stands for Calls without an instance. */
type Writers = Set<unknown>

interface Node {
  /** Those that write to this path itself. */
  readonly here: Writers
  /** Those that write to this path or below it. */
  readonly within: Writers
  readonly below: Map<string, Node>
}

/**
 * A plan whose Calls arrive one by one. Decides for each whether it can already run, whatever Calls follow. The cost
 * per Call does not grow with the plan: a model may write ten thousand.
 */
export class IncomingPlan {
  readonly #reader: Reader
  readonly #isParameter: IsParameter
  readonly #kinds = new Map<string, Node>()
  /** Set by a Call that reads what only a later one can write: only then can the plan have a cycle. */
  #mayHaveCycle = false

  constructor(context: readonly Message[], isParameter: IsParameter) {
    this.#reader = readerOf(context)
    this.#isParameter = isParameter
  }

  /**
   * Adds the next Call.
   *
   * @returns True if everything that it reads is in the context, no earlier Call writes it, and the plan cannot have a
   * cycle.
   */
  add(call: Call): boolean {
    const owner = ownerOf(call)
    let isFree = true
    for (const { expression } of readsOf(call, this.#isParameter)) {
      const isThere = isPresent(expression, this.#reader, call)
      const paths = expression.alternatives.flat()
      const written = paths.filter((path) => this.#isWritten(path, owner))
      if (!isThere || written.length > 0) isFree = false
      if (!isThere && written.length < paths.length) this.#mayHaveCycle = true
    }
    for (const path of writtenPaths(call)) this.#write(path, owner)
    return isFree && !this.#mayHaveCycle
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

  /** Returns true if a Call writes to the path, above it or below it, as far as this instance sees it (INST-1). */
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
