/** The longest wait that `setTimeout` can do, in milliseconds, about 25 days. What is longer it would do at once. */
export const longestWait: number = 2 ** 31 - 1

/** Starts a timer; none for no limit, or for one beyond what timers can wait. */
export function startTimer(
  wait: number | undefined,
  action: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return wait === undefined || wait > longestWait ? undefined : setTimeout(action, wait)
}
