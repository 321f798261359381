/** Milliseconds until a deadline, at least one: a timer of none would not be set. */
export function timeLeft(deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(1, deadline - Date.now())
}

/** The smaller of two limits, each of which may be absent. */
export function smallest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right)
}
