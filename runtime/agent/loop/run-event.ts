import type { Call, Message } from '../../context/message.ts'
import type { ErrorData } from '../../errors.ts'
import type { Effects, Schema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { SentRequest } from '../request/sent-request.ts'
import type { DispatchPolicy, PerformedOutcome } from './executor.ts'
import type { Spent } from './meter.ts'

/**
 * Something that happened in a run, made for JSON: a line each makes a file that `callsheet studio --runs` shows, while the run goes
 * on and later. `at` is in epoch milliseconds.
 */
export type RunEvent =
  | {
      readonly event: 'start'
      /** Of this form. */
      readonly version: 1
      readonly runId: string
      readonly at: number
      readonly model?: string
      /** The schema of the goal. */
      readonly output?: Schema | object
    }
  | {
      /** A Call, a Request or the question whether a plan may run has begun. */
      readonly event: 'dispatch'
      /** Its key in the run. */
      readonly key: string
      readonly kind: DispatchPolicy['kind']
      readonly at: number
      readonly call: Call
      readonly effects?: Effects
      /** Of a Request: the Messages of its context that no earlier event has. */
      readonly messages?: readonly Message[]
    }
  | {
      readonly event: 'settle'
      readonly key: string
      readonly at: number
      readonly outcome: Omit<PerformedOutcome, 'error'> & { readonly error?: ErrorData }
    }
  | ({ readonly event: 'sent'; readonly at: number } & SentRequest)
  | {
      readonly event: 'end'
      readonly at: number
      readonly output?: unknown
      readonly error?: ErrorData
      readonly spent: Spent
      readonly usage: TokenUsage
      /** The Messages that no earlier event has. */
      readonly messages: readonly Message[]
      /** Present when it waits for approvals. */
      readonly suspended?: SuspendedRun
    }
