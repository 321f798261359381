import { ActivityError } from '../../errors.ts'
import type { RunOptions } from '../run-options.ts'
import { Cancellation, doNothing, follow } from './cancellation.ts'
import { startTimer } from './start-timer.ts'

/**
 * What can stop one Call: its signal, its timeout, its group. Shares the group's cancellation until it needs its own.
 */
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
    // Time is already up: a timer would fire only after the Activity has started.
    if (left !== undefined && left <= 0) end()
    else this.#timer = startTimer(left, end)
  }

  /** A signal of this Call alone: Node warns of a leak if one signal has eleven listeners. */
  get signal(): AbortSignal {
    if (this.#isShared) {
      const own = new Cancellation()
      this.#unfollow = follow(own, undefined, this.cancellation)
      this.#isShared = false
      this.cancellation = own
    }
    return this.cancellation.signal
  }

  /** Removes the timer and the listeners. */
  release(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#unfollow()
  }
}

/**
 * Starts the timeout of a Call and follows its signal and group. Returns undefined if nothing can stop it, as with most
 * Calls: those pay nothing.
 *
 * @param waited Milliseconds of the timeout that have already passed.
 */
export function callLimits(
  options: RunOptions,
  group: Cancellation | undefined,
  waited = 0,
): CallLimits | undefined {
  if (!options.signal && !group && options.timeout === undefined) return undefined
  return new CallLimits(options, group, waited)
}
