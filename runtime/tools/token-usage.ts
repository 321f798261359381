/** What model invocations cost, in tokens. */
export interface TokenUsage {
  /** Sent to the model, what it had cached included. */
  readonly in: number
  /** Answered by the model, its reasoning included. */
  readonly out: number
  /** The part of `in` that the provider had cached. */
  readonly cached: number
}

export const noUsage: TokenUsage = Object.freeze({ in: 0, out: 0, cached: 0 })

/** Adds tokens as they are told: what is left out, or is not a number from 0, counts as none. */
export function addUsage(usage: TokenUsage, told: Partial<TokenUsage>): TokenUsage {
  const sum = (of: keyof TokenUsage): number => usage[of] + Math.max(0, Number(told[of]) || 0)
  return { in: sum('in'), out: sum('out'), cached: sum('cached') }
}

/**
 * Takes the most of what one answer has said of its tokens. A stream counts them up as it goes, and a proxy in between may
 * leave out in its last word what the first one said.
 */
export function mostUsage(usage: TokenUsage, told: TokenUsage): TokenUsage {
  const most = (of: keyof TokenUsage): number => Math.max(usage[of], told[of])
  return { in: most('in'), out: most('out'), cached: most('cached') }
}
