/** Reads a token count. A missing or invalid count is unknown, and not guessed. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

/** Counts output tokens. xAI and Gemini leave reasoning out of that count and include it only in the total. */
export function tokensOut(written: unknown, sent: unknown, total: unknown): number {
  return Math.max(tokenCount(written), tokenCount(total) - tokenCount(sent))
}
