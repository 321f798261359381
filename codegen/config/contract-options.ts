import type { DialectName } from '../../runtime/dialects/dialect-name.ts'

/** A change of the contract that somebody answers for (DIFF-4). */
export interface ContractException {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why it may be. */
  readonly reason: string
}

/** The most that Tools may weigh, as what is sent to a model. Tokens are counted where gpt-tokenizer is installed. */
export interface WeightLimits {
  /** UTF-8 bytes of all Tools and what they share. */
  readonly bytes?: number | undefined
  readonly tokens?: number | undefined
  /** UTF-8 bytes of each Tool. */
  readonly toolBytes?: number | undefined
  readonly toolTokens?: number | undefined
}

/** What Tools may weigh (DIFF-6): in every dialect, or in one. */
export interface Budget extends WeightLimits {
  /** Figures of single dialects; they stand over those of all. */
  readonly dialects?: Readonly<Partial<Record<DialectName, WeightLimits>>> | undefined
  /** A file of figures, kept in git, that may only fall unless `callsheet lint --budget accept` says otherwise. */
  readonly ratchet?: string | undefined
}
