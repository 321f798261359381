/** Milliseconds until a deadline; none once it is over. */
export function timeLeft(deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(0, deadline - Date.now())
}

/** The smaller of two limits, each of which may be absent. */
export function smallest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right)
}
