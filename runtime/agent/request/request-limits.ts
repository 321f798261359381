import { Cancellation, follow } from '../../call/controls/cancellation.ts'
import { startTimer } from '../../call/controls/start-timer.ts'
import { ActivityError } from '../../errors.ts'
import { defaultMaxAnswer } from '../transport/limited-fetch.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'
import type { ModelOptions } from './request-options.ts'

/** The limits that end a Request or one of its attempts (REQ-8b). Call `release` when the Request is over. */
export class RequestLimits {
  /** Most characters of an answer. */
  readonly maxAnswer: number
  /** Longest silence in a stream, in milliseconds. */
  readonly silence: number
  /** Longest attempt, in milliseconds. */
  readonly attemptTimeout: number
  /** Aborts the whole Request: on its timeout, or the caller's signal. */
  readonly cancellation: Cancellation = new Cancellation()
  readonly release: () => void

  constructor(options: ModelOptions, signal: AbortSignal | undefined) {
    const { timeout, maxAnswer = defaultMaxAnswer, silence = 300_000, attemptTimeout = 600_000 } = options
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

  /** Returns why an attempt failed: once the Request is cancelled, the cancellation, whatever the attempt threw. */
  failure(thrown: unknown): RequestError {
    const { reason } = this.cancellation
    if (!reason) return requestFailure(thrown)
    const usage = thrown instanceof RequestError ? thrown.usage : undefined
    return new RequestError(reason.code, reason.message, { cause: reason.cause, usage })
  }
}
