import type { Outcome } from '../call/outcome.ts'

/** An Outcome as it goes over the wire: the same, with its error as data. */
export type OutcomeJson = Omit<Outcome, 'error'> & { readonly error?: import('../errors.ts').ErrorData }

/** What a store says to somebody who is about to run a Call under a key. */
export type Claim =
  /** Nobody ran it: the key is yours until you finish or release it. */
  | { readonly status: 'claimed' }
  /** It ran: this is what it was and what came out. */
  | { readonly status: 'finished'; readonly fingerprint: string; readonly outcome: OutcomeJson }
  /** Somebody runs it now; ask again. */
  | { readonly status: 'running'; readonly fingerprint: string }
  /** Whoever ran it is gone, and nobody knows how far it came. The key is yours. */
  | { readonly status: 'abandoned'; readonly fingerprint: string }

/**
 * Remembers Outcomes by their Call's id, so that a Call that is asked for twice runs once (SERVE-5). `fingerprint` is a hash of
 * the Call: another Call under the same id is refused.
 */
export interface OutcomeStore {
  /** Milliseconds for which an Outcome is kept. */
  readonly keeps: number
  claim(key: string, fingerprint: string): Claim | Promise<Claim>
  finish(key: string, outcome: OutcomeJson): void | Promise<void>
  /** Gives a claimed key back: nothing ran. */
  release(key: string): void | Promise<void>
  close?(): void | Promise<void>
}

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Milliseconds for which an Outcome is kept. Default: one hour. */
  readonly keeps?: number
  /** At most so many Outcomes; the oldest goes first. Default: 10,000. */
  readonly most?: number
}

interface Kept {
  readonly fingerprint: string
  readonly outcome?: OutcomeJson
  readonly until: number
}

/** Remembers Outcomes in this process, for an hour unless told otherwise. */
export function memoryStore({ keeps = 3_600_000, most = 10_000 }: MemoryStoreOptions = {}): OutcomeStore {
  const kept = new Map<string, Kept>()
  const forgetOld = (): void => {
    const now = Date.now()
    // In the order in which they were finished; running ones never expire, and end.
    for (const [key, { outcome, until }] of kept) {
      if (outcome && (until <= now || kept.size > most)) kept.delete(key)
      else if (outcome) break
    }
  }
  return {
    keeps,
    claim(key, fingerprint) {
      forgetOld()
      const found = kept.get(key)
      if (found?.outcome)
        return { status: 'finished', fingerprint: found.fingerprint, outcome: found.outcome }
      if (found) return { status: 'running', fingerprint: found.fingerprint }
      kept.set(key, { fingerprint, until: Number.POSITIVE_INFINITY })
      return { status: 'claimed' }
    },
    finish(key, outcome) {
      const fingerprint = kept.get(key)?.fingerprint ?? ''
      kept.delete(key)
      kept.set(key, { fingerprint, outcome, until: Date.now() + keeps })
    },
    release(key) {
      kept.delete(key)
    },
  }
}
