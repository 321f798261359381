import type { DispatchPolicy } from '../agent/loop/executor.ts'
import { type Executor, inProcessExecutor, type PerformedOutcome } from '../agent/loop/executor.ts'
import { unstartedOutcome } from '../agent/loop/unstarted-outcome.ts'
import { asError } from '../call/call-errors.ts'
import type { Call } from '../context/message.ts'
import { type ActivityRequest, restoreWrittenCall } from '../durable/activity-request.ts'
import { engineGaveUp, runCancelled } from '../durable/engine-errors.ts'
import { type RecordedOutcome, reviveOutcome } from '../durable/recorded-outcome.ts'
import { sentCall } from '../durable/sent-call.ts'
import { messageOf } from '../problems/message-of.ts'
import type { KnownTool } from './wire.ts'

/** Sends one step to a Temporal Activity. */
export type SendStep = (name: string, request: unknown) => Promise<RecordedOutcome>

export interface TemporalExecutorSettings {
  readonly tools: ReadonlyMap<string, KnownTool>
  /** The References that Calls may read. Default: the option of the worker's registry. */
  readonly references?: KnownTool['references']
  /** Sends a Call to the Activity of its Tool. */
  readonly send: SendStep
  /** Performs every step that is not a Call of an Activity. */
  readonly perform: (call: Call, key: string, policy: DispatchPolicy) => Promise<RecordedOutcome>
}

/**
 * Creates the executor of a workflow. Temporal's sandbox replays promises in the order of its history, so the
 * in-process executor works for Temporal too, with Activities doing the work.
 */
export function temporalExecutor({ tools, references, send, perform }: TemporalExecutorSettings): Executor {
  return inProcessExecutor(async (call, key, policy) => {
    try {
      const tool = policy.kind === 'call' ? tools.get(call._tool) : undefined
      if (!tool?.isRemote) return reviveOutcome(await perform(call, key, withPlainContext(policy)))
      let approved: PerformedOutcome['approved']
      if (policy.isAsked) {
        const asked = reviveOutcome(await perform(call, key, { ...withPlainContext(policy), asksOnly: true }))
        if (!asked.approved) return asked
        approved = asked.approved
      }
      const request: ActivityRequest = {
        ...sentCall(call, key, policy, references === undefined ? tool : { ...tool, references }, approved),
        contract: tool.contract,
      }
      return restoreWrittenCall(reviveOutcome(await send(call._tool, request)), request.call, call)
    } catch (thrown) {
      return unstartedOutcome(call, key, failureOf(thrown, policy))
    }
  })
}

/** Copies the policy as data, which reads its computed context. */
function withPlainContext(policy: DispatchPolicy): DispatchPolicy {
  return { ...policy, context: policy.context }
}

/** Builds the error of a step that the engine cancelled or gave up on. */
function failureOf(thrown: unknown, policy: DispatchPolicy): ReturnType<typeof asError> {
  if (isCancellation(thrown)) return runCancelled()
  const { name, cause } = (thrown ?? {}) as { name?: string; cause?: unknown }
  if (name !== 'ActivityFailure') return asError(thrown, 'The Call could not be sent')
  return engineGaveUp('Temporal', messageOf(cause ?? thrown), policy)
}

/** True for what a cancelled workflow is told. Recognised by name, since errors of the sandbox have other classes. */
export function isCancellation(thrown: unknown): boolean {
  const { name, cause } = (thrown ?? {}) as { name?: string; cause?: { name?: string } }
  return name === 'CancelledFailure' || cause?.name === 'CancelledFailure'
}
