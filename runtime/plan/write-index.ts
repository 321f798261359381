import { isDataMessage, type Message, messageKind } from '../context/message.ts'
import type { Path } from '../context/reference.ts'
import { writesOf } from '../context/write.ts'
import { type PlaceSet, union } from './place-set.ts'

interface Node {
  /** Places of the Calls that wrote to this path or below it. */
  places: PlaceSet
  /** True if something was written to the path itself. */
  isWritten: boolean
  readonly below: Map<string, Node>
}

/**
 * Finds the Calls of a plan whose writes may affect the value at a path, so that reading a path does not scan all of
 * them.
 */
export class WriteIndex {
  readonly #kinds = new Map<string, Node>()
  readonly #instances = new Map<string, PlaceSet>()

  add(place: number, messages: readonly Message[]): void {
    for (const message of messages) {
      const { _instance } = message
      if (_instance !== undefined) {
        this.#instances.set(_instance, union(this.#instances.get(_instance), place))
      }
      if (!isDataMessage(message)) continue
      const kind = messageKind(message)
      for (const { segments } of writesOf(message)) this.addPath(place, { kind, segments })
    }
  }

  addPath(place: number, { kind, segments }: Path): void {
    let node = nodeAt(this.#kinds, kind)
    node.places = union(node.places, place)
    for (const segment of segments) {
      node = nodeAt(node.below, segment)
      node.places = union(node.places, place)
    }
    node.isWritten = true
  }

  /**
   * Returns the Calls that wrote to the path, above it or below it. If one wrote to a path above it, all writes below
   * that one count, neighbouring paths included: a `push` to `a` depends on whether a write to `a.b` made `a` an
   * object.
   */
  at({ kind, segments }: Path): PlaceSet {
    let node = this.#kinds.get(kind)
    for (const segment of segments) {
      if (node === undefined || node.isWritten) break
      node = node.below.get(segment)
    }
    return node?.places
  }

  ofKind(kind: string): PlaceSet {
    return this.#kinds.get(kind)?.places
  }

  ofInstance(instance: string): PlaceSet {
    return this.#instances.get(instance)
  }
}

function nodeAt(nodes: Map<string, Node>, name: string): Node {
  const known = nodes.get(name)
  if (known) return known
  const made: Node = { places: undefined, isWritten: false, below: new Map() }
  nodes.set(name, made)
  return made
}
