import { Cancellation, follow } from '../../call/controls/cancellation.ts'
import { startTimer } from '../../call/controls/start-timer.ts'
import { ActivityError } from '../../errors.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'
import type { ModelOptions } from './request-options.ts'

/** What ends a Request or an attempt of it (REQ-8b). Call `release` when the Request is over. */
export class RequestLimits {
  /** Characters of an answer. */
  readonly maxAnswer: number
  /** Milliseconds without a piece of a stream. */
  readonly silence: number
  /** Milliseconds for one attempt. */
  readonly attemptTimeout: number
  /** Of the whole Request: its timeout, and the caller's signal. */
  readonly cancellation: Cancellation = new Cancellation()
  readonly release: () => void

  constructor(options: ModelOptions, signal: AbortSignal | undefined) {
    const { timeout, maxAnswer = 2_000_000, silence = 300_000, attemptTimeout = 600_000 } = options
    this.maxAnswer = maxAnswer
    this.silence = silence
    this.attemptTimeout = attemptTimeout
    const timer = startTimer(timeout, () => {
      this.cancellation.cancel(
        new ActivityError('timeout', `The Request did not finish within ${timeout} ms.`),
      )
    })
    const unfollow = follow(this.cancellation, signal, undefined)
    this.release = () => {
      clearTimeout(timer)
      unfollow()
    }
  }

  /** Says why an attempt failed: whatever it threw, once the Request is cancelled that is the reason. */
  failure(thrown: unknown): RequestError {
    const { reason } = this.cancellation
    return reason
      ? new RequestError(reason.code, reason.message, { cause: reason.cause })
      : requestFailure(thrown)
  }
}
