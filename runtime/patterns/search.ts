import { beginning, boundary, character, end, inside, look, type Machine, split } from './machine.ts'

/** Bytes that a search keeps for the next text, estimated. */
const mostKept = 50_000

/** Where all paths through a machine are: at the states that wait for a character. */
interface Reached {
  readonly waiting: Uint16Array
  readonly isFound: boolean
  /** Where each step from here leads, by the character and by what holds after it. */
  readonly steps: Map<number, Reached>
}

/**
 * Searches texts for a machine, by following all paths from all positions at once. These may be thousands of states after each
 * character, so that it remembers where each step leads: a deterministic automaton of the part that the texts need.
 */
export class Search {
  readonly #machine: Machine
  readonly #start: number
  readonly #isBackwards: boolean
  readonly #mostBytes: number
  #first = nowhere()
  readonly #reached = new Map<number, Reached>()
  /** For each character the tests of the machine that it passes. */
  readonly #passed = new Map<number, readonly boolean[]>()
  #bytes = 0

  /** @param mostBytes What it may remember while it reads a text, estimated. */
  constructor(machine: Machine, start: number, isBackwards: boolean, mostBytes: number) {
    this.#machine = machine
    this.#start = start
    this.#isBackwards = isBackwards
    this.#mostBytes = mostBytes
  }

  /**
   * @param held For each lookaround, by its index: 1 at the positions of the text at which it holds, in code units.
   * @param onFound Called with each position at which the pattern is found; returns true to stop.
   * @returns True if `onFound` stopped it.
   */
  find(text: string, held: readonly Uint8Array[], onFound: (place: number) => boolean): boolean {
    const last = this.#isBackwards ? 0 : text.length
    const { heeds } = this.#machine
    let at = this.#first
    let read = 0
    for (let place = text.length - last; ; ) {
      let holds = (place === 0 ? beginning : 0) | (place === text.length ? end : 0)
      if (heeds > end) holds |= isBoundary(text, place) ? boundary : inside
      let step = read * 16 + (holds & heeds)
      for (const places of held) step = step * 2 + (places[place] ?? 0)
      let next = at.steps.get(step)
      if (!next) {
        if (this.#bytes > this.#mostBytes) this.#forget()
        next = this.#follow(at.waiting, read, holds, (look) => held[look]?.[place] === 1)
        at.steps.set(step, next)
        this.#bytes += 50
      }
      at = next
      const isStopped = at.isFound && onFound(place)
      if (isStopped || place === last) {
        if (this.#bytes > mostKept) this.#forget()
        return isStopped
      }
      read = this.#isBackwards ? characterBefore(text, place) : (text.codePointAt(place) ?? 0)
      const length = read > 0xffff ? 2 : 1
      place += this.#isBackwards ? -length : length
    }
  }

  /** Returns what is reached by a character, and from the start. */
  #follow(waiting: Uint16Array, read: number, holds: number, isHeld: (look: number) => boolean): Reached {
    const { operations, next, values, seen, reached, pending } = this.#machine
    const passed = this.#testsOf(read)
    seen.fill(0)
    let count = 0
    let size = 0
    pending[size++] = this.#start
    for (const state of waiting) {
      if (passed[values[state] as number]) pending[size++] = next[state] as number
    }
    while (size > 0) {
      const state = pending[--size] as number
      if (seen[state] === 1) continue
      seen[state] = 1
      const value = values[state] as number
      const does = operations[state]
      if (does === character) reached[count++] = state
      else if (does === split) {
        pending[size++] = next[state] as number
        pending[size++] = value
      } else if (does === look ? isHeld(value) : (holds & value) !== 0) {
        pending[size++] = next[state] as number
      }
    }
    return this.#know(reached.slice(0, count), seen[0] === 1)
  }

  /** Returns the same for the same states. */
  #know(waiting: Uint16Array, isFound: boolean): Reached {
    let hash = isFound ? 1 : 0
    for (const state of waiting) hash = (hash * 31 + state) | 0
    const known = this.#reached.get(hash)
    if (known?.isFound === isFound && isSame(known.waiting, waiting)) return known
    const made = { waiting, isFound, steps: new Map() }
    // In place of others with this hash, if there are any.
    this.#reached.set(hash, made)
    this.#bytes += 500 + waiting.byteLength
    return made
  }

  #testsOf(read: number): readonly boolean[] {
    const known = this.#passed.get(read)
    if (known) return known
    const text = String.fromCodePoint(read)
    const passed = this.#machine.tests.map((test) => test.test(text))
    this.#passed.set(read, passed)
    this.#bytes += 100 + 8 * passed.length
    return passed
  }

  #forget(): void {
    this.#first = nowhere()
    this.#reached.clear()
    this.#passed.clear()
    this.#bytes = 0
  }
}

function nowhere(): Reached {
  return { waiting: new Uint16Array(), isFound: false, steps: new Map() }
}

function isSame(left: Uint16Array, right: Uint16Array): boolean {
  return left.length === right.length && left.every((state, index) => state === right[index])
}

function isBoundary(text: string, place: number): boolean {
  return /\w/.test(text.charAt(place - 1)) !== /\w/.test(text.charAt(place))
}

/** Returns the code point that ends at a position. */
function characterBefore(text: string, place: number): number {
  const pair = text.codePointAt(place - 2) ?? 0
  return pair > 0xffff ? pair : text.charCodeAt(place - 1)
}
