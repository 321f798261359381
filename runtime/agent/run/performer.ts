import { asError } from '../../call/call-errors.ts'
import { callLimits } from '../../call/controls/call-limits.ts'
import { orCancelled } from '../../call/controls/wait.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Perform } from '../loop/executor.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'
import { callPerformer } from './perform-call.ts'
import { requestPerformer } from './perform-request.ts'
import type { PerformSettings } from './perform-settings.ts'
import { schemasIn } from './schemas-in.ts'
import { timeLeft } from './time-left.ts'

/** Creates the function that performs the Calls, Requests and approvals of a run in this process. */
export function performer(settings: PerformSettings): Perform {
  const call = callPerformer(settings)
  const by = { call, request: requestPerformer(settings, call), approval: approvalPerformer(settings) }
  return async (given, key, policy) => {
    try {
      return await by[policy.kind](given, key, policy)
    } catch (thrown) {
      return unstartedOutcome(given, key, asError(thrown, 'The Call could not be run'))
    }
  }
}

/** Creates the function that asks whether a plan may run; the wait ends with the run. */
function approvalPerformer({ approver, options }: PerformSettings): Perform {
  return async (question, key, { plan = [], context, deadline }) => {
    let held: Approval | undefined
    const limits = callLimits({ signal: options.signal, timeout: timeLeft(deadline) }, undefined)
    try {
      const asked = approver?.confirmPlan(
        key,
        plan,
        schemasIn(options, context),
        (approval) => (held = approval),
      )
      const contracts = await (limits ? orCancelled(Promise.resolve(asked), limits.cancellation) : asked)
      return { ...unstartedOutcome(question, key), ...(contracts && { contracts }) }
    } catch (thrown) {
      const outcome = unstartedOutcome(question, key, asError(thrown, 'Asking for the plan failed'))
      return held ? { ...outcome, approval: held } : outcome
    } finally {
      limits?.release()
    }
  }
}
