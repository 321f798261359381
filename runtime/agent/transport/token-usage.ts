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

export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return { in: left.in + right.in, out: left.out + right.out, cached: left.cached + right.cached }
}
