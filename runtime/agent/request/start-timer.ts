import { longestWait } from '../../call/controls/call-limits.ts'

/** Starts a timer; none for no limit, or for one beyond what timers can wait. */
export function startTimer(
  wait: number | undefined,
  action: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return wait === undefined || wait > longestWait ? undefined : setTimeout(action, wait)
}
