import type { Call, Message } from '../../context/message.ts'
import type { ErrorData } from '../../errors.ts'
import type { Effects, Schema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { SentRequest } from '../request/sent-request.ts'
import type { DispatchPolicy, PerformedOutcome } from './executor.ts'
import type { Spent } from './meter.ts'

/**
 * An event of a run, as plain JSON. Written one per line, events make a file that `callsheet studio --runs` shows,
 * during the run and later. `at` is in epoch milliseconds.
 */
export type RunEvent =
  | {
      readonly event: 'start'
      /** The version of this format. */
      readonly version: 1
      readonly runId: string
      readonly at: number
      readonly model?: string
      /** The schema of the output. */
      readonly output?: Schema | object
      /** How the model searched for Tools, if it did: the name of the Tool for it, and the most that one search found. */
      readonly search?: { readonly name: string; readonly limit: number }
    }
  | {
      /** A Call, a Request or the approval of a plan has begun. */
      readonly event: 'dispatch'
      /** The key of the step in the run. */
      readonly key: string
      readonly kind: DispatchPolicy['kind']
      readonly at: number
      readonly call: Call
      readonly effects?: Effects
      /** For a Request: the Messages of its context that no earlier event contains. */
      readonly messages?: readonly Message[]
    }
  | {
      readonly event: 'settle'
      readonly key: string
      readonly at: number
      readonly outcome: Omit<PerformedOutcome, 'error'> & { readonly error?: ErrorData }
    }
  | ({ readonly event: 'sent'; readonly runId: string; readonly at: number } & SentRequest)
  | {
      readonly event: 'end'
      readonly runId: string
      readonly at: number
      readonly output?: unknown
      readonly error?: ErrorData
      readonly spent: Spent
      readonly usage: TokenUsage
      /** The Messages that no earlier event contains. */
      readonly messages: readonly Message[]
      /** Present if the run waits for approvals. */
      readonly suspended?: SuspendedRun
    }
