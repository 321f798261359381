/** Tokens used by requests to a model. */
export interface TokenUsage {
  /** Tokens sent to the model, cached ones included. */
  readonly in: number
  /** Tokens that the model answered with, reasoning included. */
  readonly out: number
  /** The part of `in` that the provider read from its cache. */
  readonly cached: number
}

export const noUsage: TokenUsage = Object.freeze({ in: 0, out: 0, cached: 0 })

/** Adds reported tokens. A count that is missing, negative or not a finite number is 0; an Activity without types may report null. */
export function addUsage(usage: TokenUsage, reported: Partial<TokenUsage> | null | undefined): TokenUsage {
  const sum = (of: keyof TokenUsage): number => {
    const count = Number(reported?.[of])
    return count > 0 && Number.isFinite(count)
      ? usage[of] + Math.min(count, Number.MAX_SAFE_INTEGER)
      : usage[of]
  }
  return { in: sum('in'), out: sum('out'), cached: sum('cached') }
}

/**
 * Merges two reports about one answer: the higher count of each kind. The counts in a stream grow, and a proxy may
 * leave out of the last event what the first one contained.
 */
export function mostUsage(usage: TokenUsage, reported: TokenUsage): TokenUsage {
  const most = (of: keyof TokenUsage): number => Math.max(usage[of], reported[of])
  return { in: most('in'), out: most('out'), cached: most('cached') }
}
