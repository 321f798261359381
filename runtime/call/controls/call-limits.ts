import { ActivityError } from '../../errors.ts'
import type { RunOptions } from '../run-options.ts'
import { Cancellation, doNothing, follow } from './cancellation.ts'
import { startTimer } from './start-timer.ts'

/** What can stop one Call. In a group that is the group's cancellation, until the Call needs one of its own. */
export class CallLimits {
  cancellation: Cancellation
  #isShared = false
  #unfollow: () => void = doNothing
  #timer: ReturnType<typeof startTimer>

  constructor({ signal, timeout }: RunOptions, group: Cancellation | undefined, waited: number) {
    if (group && !signal && timeout === undefined) {
      this.cancellation = group
      this.#isShared = true
      return
    }
    const own = new Cancellation()
    this.cancellation = own
    this.#unfollow = follow(own, signal, group)
    const left = timeout === undefined ? undefined : timeout - waited
    const end = (): void => {
      own.cancel(new ActivityError('timeout', `The Call did not finish within ${timeout} ms.`))
    }
    // Of a time that is over a timer would tell once the Activity has begun.
    if (left !== undefined && left <= 0) end()
    else this.#timer = startTimer(left, end)
  }

  /** A signal of this Call alone: Node warns of a leak where eleven listen to one. */
  get signal(): AbortSignal {
    if (this.#isShared) {
      const own = new Cancellation()
      this.#unfollow = follow(own, undefined, this.cancellation)
      this.#isShared = false
      this.cancellation = own
    }
    return this.cancellation.signal
  }

  /** Takes timer and listeners off again. */
  release(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#unfollow()
  }
}

/**
 * Starts the clock of a Call; undefined where nothing can stop it, which most Calls are and which costs nothing.
 *
 * @param waited Milliseconds of its time that are over.
 */
export function callLimits(
  options: RunOptions,
  group: Cancellation | undefined,
  waited = 0,
): CallLimits | undefined {
  if (!options.signal && !group && options.timeout === undefined) return undefined
  return new CallLimits(options, group, waited)
}
