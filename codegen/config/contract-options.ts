import type { DialectName } from '../../runtime/dialects/dialect-name.ts'

/** An accepted change of the contract (DIFF-4). */
export interface ContractException {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why the change is accepted. */
  readonly reason: string
}

/** Size limits of the Tools as sent to a model. Tokens are counted only if gpt-tokenizer is installed. */
export interface WeightLimits {
  /** UTF-8 bytes of all Tools and what they share. */
  readonly bytes?: number | undefined
  readonly tokens?: number | undefined
  /** UTF-8 bytes of each Tool. */
  readonly toolBytes?: number | undefined
  readonly toolTokens?: number | undefined
}

/** Size limits of the Tools (DIFF-6), in every dialect and in single ones. */
export interface Budget extends WeightLimits {
  /** Limits of single dialects; they override those of all dialects. */
  readonly dialects?: Readonly<Partial<Record<DialectName, WeightLimits>>> | undefined
  /** A file in git with the current sizes. They may only fall; `callsheet lint --budget accept` records larger ones. */
  readonly ratchet?: string | undefined
}
