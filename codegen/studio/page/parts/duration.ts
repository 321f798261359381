/** Milliseconds as people say them. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1_000) return `${milliseconds.toFixed(0)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(2)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`
}
