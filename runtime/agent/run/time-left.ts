/** Returns the milliseconds until a deadline; 0 if it has passed. */
export function timeLeft(deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(0, deadline - Date.now())
}

/** Returns the smaller of two limits, each of which may be absent. */
export function smallerOf(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right)
}
