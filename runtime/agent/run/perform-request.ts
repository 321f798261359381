import { asError } from '../../call/call-errors.ts'
import { copiedTogether } from '../../context/copied-data.ts'
import type { Perform } from '../loop/executor.ts'
import { type RequestOutput, timeLimitError } from '../loop/request-call.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'
import { makeRequest } from '../request/request.ts'
import { RequestError } from '../transport/request-error.ts'
import { earlyStart } from './early-starts.ts'
import type { PerformSettings } from './perform-settings.ts'
import { smallerOf, timeLeft } from './time-left.ts'

/** Creates the function that makes the Request of one turn; Calls of a streamed answer may start meanwhile. */
export function requestPerformer(settings: PerformSettings, performCall: Perform): Perform {
  const { options, meter } = settings
  const copied = copiedTogether()
  return async (request, key, policy) => {
    const startedAt = Date.now()
    const left = timeLeft(policy.deadline)
    const timeout = smallerOf(options.timeout, left)
    try {
      const shortage = meter.shortage({ turns: 1 })
      if (shortage) throw shortage
      if (left === 0) throw timeLimitError()
      meter.add({ turns: 1 })
      const result = await makeRequest({
        ...options,
        context: policy.context,
        timeout,
        exchanges: policy.exchanges,
        start: earlyStart(settings, key, policy, performCall, copied),
      })
      const { solution, rejected, usage, attempts, mode, declared, native, endsWithNull } = result
      meter.add({ tokens: usage.in + usage.out })
      const started = await Promise.all(
        Array.from(result.started, async ([index, outcome]) => [index, await outcome] as const),
      )
      const output: RequestOutput = {
        solution,
        rejected,
        usage,
        attempts,
        mode,
        schema: declared,
        ...(native && { native }),
        ...(endsWithNull && { endsWithNull }),
        started,
      }
      return { ...unstartedOutcome(request, key), output, attempts, startedAt, endedAt: Date.now() }
    } catch (thrown) {
      const error = asError(thrown, 'The Request failed')
      if (error instanceof RequestError) meter.add({ tokens: error.usage.in + error.usage.out })
      // The run's time limit was reached, if it had less time left than the Request's own timeout.
      const isLate = error.code === 'timeout' && left !== undefined && timeout === left
      return { ...unstartedOutcome(request, key, isLate ? timeLimitError() : error), startedAt }
    }
  }
}
