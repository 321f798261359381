/** Reads a count of tokens. A server can leave counts out, or say nonsense; then they are not known, and not guessed. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}
