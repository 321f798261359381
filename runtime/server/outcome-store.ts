import { duration, fromZero } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import type { OutcomeJson } from './outcome-json.ts'

/** What a store says to somebody who is about to run a Call under a key. */
export type Claim =
  /** Nobody ran it: the key is yours until you finish or release it. */
  | { readonly status: 'claimed' }
  /** It ran: this is what it was and what came out. */
  | { readonly status: 'finished'; readonly fingerprint: string; readonly outcome: OutcomeJson }
  /** Somebody runs it now; ask again. */
  | { readonly status: 'running'; readonly fingerprint: string }
  /**
   * Whoever ran it is gone, and nobody knows how far it came. The key is yours. Said to the same Call alone: another one is refused, so
   * that it is told `running`.
   */
  | { readonly status: 'abandoned'; readonly fingerprint: string }

/**
 * Remembers Outcomes by their Call's id, so that a Call that is asked for twice runs once (SERVE-5). `fingerprint` is a hash of
 * the Call: another Call under the same id is refused.
 */
export interface OutcomeStore {
  /** Milliseconds for which an Outcome is kept. */
  readonly keeps: number
  claim(key: string, fingerprint: string): Claim | Promise<Claim>
  /** Keeps an Outcome. Where it throws it is asked again later with the same one, which may have been kept all the same. */
  finish(key: string, outcome: OutcomeJson): void | Promise<void>
  /** Gives a claimed key back: nothing ran. */
  release(key: string): void | Promise<void>
  close?(): void | Promise<void>
}

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Milliseconds for which an Outcome is kept. Default: one hour. */
  readonly keeps?: number | undefined
  /** The most Outcomes to keep; the oldest goes first. Default: 10,000. */
  readonly most?: number | undefined
  /** The most characters of Outcomes, as JSON; the oldest goes first. Default: 64 million. */
  readonly mostCharacters?: number | undefined
}

const memoryStoreRules: OptionRules<MemoryStoreOptions> = {
  keeps: duration,
  most: fromZero,
  mostCharacters: fromZero,
}

interface Kept {
  readonly fingerprint: string
  /** As JSON, whose length says what it costs to keep. */
  readonly outcome: string
  readonly until: number
}

/** Remembers Outcomes in this process, for an hour unless told otherwise. */
export function memoryStore(options: MemoryStoreOptions = {}): OutcomeStore {
  requireOptionsOf('memoryStore', options, memoryStoreRules)
  const { keeps = 3_600_000, most = 10_000, mostCharacters = 64_000_000 } = options
  const running = new Map<string, string>()
  const finished = new Map<string, Kept>()
  let characters = 0
  const forgetOld = (): void => {
    const now = Date.now()
    // In the order in which they were finished.
    for (const [key, { outcome, until }] of finished) {
      if (until > now && finished.size <= most && characters <= mostCharacters) return
      finished.delete(key)
      characters -= outcome.length
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
