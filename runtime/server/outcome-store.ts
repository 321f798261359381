import { duration, fromZero } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import type { OutcomeJson } from './outcome-json.ts'

/** A store's answer to the claim of a key. */
export type Claim =
  /** The Call has not run: you own the key until you finish or release it. */
  | { readonly status: 'claimed' }
  /** The Call ran: its fingerprint and Outcome. */
  | { readonly status: 'finished'; readonly fingerprint: string; readonly outcome: OutcomeJson }
  /** Another process runs it now; claim again later. */
  | { readonly status: 'running'; readonly fingerprint: string }
  /**
   * The process that ran it is gone, and it is unknown how far it got; or its Outcome was not kept. You own the key. Only for the
   * same Call; for any other one the answer is `running`.
   */
  | { readonly status: 'abandoned'; readonly fingerprint: string }

/**
 * Stores Outcomes by their Call's id, so that a repeated request runs its Call once (SERVE-5). `fingerprint` is a hash of the Call:
 * another Call under the same id is refused.
 */
export interface OutcomeStore {
  /** Milliseconds for which an Outcome is kept. */
  readonly keeps: number
  claim(key: string, fingerprint: string): Claim | Promise<Claim>
  /** Stores an Outcome. If it throws, it is called again later with the same Outcome, which may have been stored nevertheless. */
  finish(key: string, outcome: OutcomeJson): void | Promise<void>
  /** Releases a claimed key: nothing ran. */
  release(key: string): void | Promise<void>
  close?(): void | Promise<void>
}

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Milliseconds for which an Outcome is kept. Default: one hour. */
  readonly keeps?: number | undefined
  /** Most Outcomes to keep; the oldest are dropped first. Default: 10,000. */
  readonly most?: number | undefined
  /**
   * Most characters of all Outcomes as JSON; the oldest are dropped first. A write whose Outcome was dropped for that does not run again:
   * its Outcome is then `interrupted`. Default: 64 million.
   */
  readonly mostCharacters?: number | undefined
}

const memoryStoreRules: OptionRules<MemoryStoreOptions> = {
  keeps: duration,
  most: fromZero,
  mostCharacters: fromZero,
}

interface Kept {
  readonly fingerprint: string
  /** The Outcome as JSON, whose length counts towards the limit. */
  readonly outcome: string
  readonly until: number
}

/** Creates a store in the memory of this process; by default it keeps Outcomes for an hour. */
export function memoryStore(options: MemoryStoreOptions = {}): OutcomeStore {
  requireOptionsOf('memoryStore', options, memoryStoreRules)
  const { keeps = 3_600_000, most = 10_000, mostCharacters = 64_000_000 } = options
  const running = new Map<string, string>()
  const finished = new Map<string, Kept>()
  /** Calls whose Outcomes were too large to keep, with empty Outcomes. */
  const dropped = new Map<string, Kept>()
  let characters = 0
  const forgetOld = (): void => {
    const now = Date.now()
    const isOver = ({ until }: Kept, { size }: ReadonlyMap<string, Kept>): boolean =>
      until <= now || size > most
    // Both iterate in the order in which the Calls were finished.
    for (const [key, kept] of finished) {
      const isOld = isOver(kept, finished)
      if (!isOld && characters <= mostCharacters) break
      finished.delete(key)
      characters -= kept.outcome.length
      if (!isOld) dropped.set(key, { ...kept, outcome: '' })
    }
    for (const [key, kept] of dropped) {
      if (!isOver(kept, dropped)) break
      dropped.delete(key)
    }
  }
  return {
    keeps,
    claim(key, fingerprint) {
      forgetOld()
      const kept = finished.get(key)
      if (kept) {
        const outcome = JSON.parse(kept.outcome) as OutcomeJson
        return { status: 'finished', fingerprint: kept.fingerprint, outcome }
      }
      const other = running.get(key)
      if (other !== undefined) return { status: 'running', fingerprint: other }
      const lost = dropped.get(key)
      if (lost && lost.fingerprint !== fingerprint)
        return { status: 'running', fingerprint: lost.fingerprint }
      if (lost) {
        dropped.delete(key)
        running.set(key, fingerprint)
        return { status: 'abandoned', fingerprint }
      }
      running.set(key, fingerprint)
      return { status: 'claimed' }
    },
    finish(key, outcome) {
      if (finished.has(key)) return
      const text = JSON.stringify(outcome)
      finished.set(key, { fingerprint: running.get(key) ?? '', outcome: text, until: Date.now() + keeps })
      running.delete(key)
      characters += text.length
      forgetOld()
    },
    release(key) {
      running.delete(key)
    },
  }
}
