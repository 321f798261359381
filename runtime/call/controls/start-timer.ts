/** The longest delay of `setTimeout` in milliseconds, about 25 days. It would run a longer one at once. */
export const longestWait: number = 2 ** 31 - 1

/** Starts a timer. Starts none without a limit, or for one longer than timers support. */
export function startTimer(
  wait: number | undefined,
  action: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return wait === undefined || wait > longestWait ? undefined : setTimeout(action, wait)
}
