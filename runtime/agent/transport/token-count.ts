/** Reads a count of tokens. A server can leave counts out, or say nonsense; then they are not known, and not guessed. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

/** Counts what the model wrote. xAI and Gemini leave what it thought out of that count, and have it in the total alone. */
export function tokensOut(written: unknown, sent: unknown, total: unknown): number {
  return Math.max(tokenCount(written), tokenCount(total) - tokenCount(sent))
}
