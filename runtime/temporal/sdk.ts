import type { Decision } from '../agent/approvals/approval.ts'

/** The used part of an Activity's context: `Context` of `@temporalio/activity`. */
export interface TemporalActivityContext {
  current(): {
    readonly info: { readonly attempt: number }
    readonly cancellationSignal: AbortSignal
    heartbeat(): void
  }
}

/** The used part of what a workflow knows about itself; the SDK gives all that is not marked as optional in its own type. */
export interface TemporalWorkflowInfo {
  readonly workflowId: string
  readonly runId?: string
  /** The first run of its chain, which retries, cron and continue-as-new prolong. */
  readonly firstExecutionRunId?: string
  /** The same after a reset; absent from earlier versions of the SDK. */
  readonly originalExecutionRunId?: string
  /** The run before it in its chain. */
  readonly continuedFromExecutionRunId?: string
  /** Counts the retries of a workflow that failed, from 1. */
  readonly attempt?: number
  readonly cronSchedule?: string
}

/** The used part of `@temporalio/workflow`, which a workflow imports and passes on. */
export interface TemporalWorkflow {
  proxyActivities(options: {
    startToCloseTimeout: number
    heartbeatTimeout: number
    retry: {
      initialInterval: number
      backoffCoefficient: number
      maximumInterval: number
    }
  }): unknown
  workflowInfo(): TemporalWorkflowInfo
  condition(isSo: () => boolean): Promise<unknown>
  condition(isSo: () => boolean, timeout: number): Promise<boolean>
  /** An opaque definition of the SDK, which is only passed back to it. */
  defineQuery(name: string): unknown
  defineUpdate(name: string): unknown
  setHandler(
    definition: unknown,
    handler: (decision: Decision) => unknown,
    options?: { readonly validator: (decision: Decision) => void },
  ): void
  readonly ApplicationFailure: { nonRetryable(message: string, type?: string): Error }
  /** What ends a workflow as cancelled. The SDK always has both; others that play it may leave them out. */
  readonly CancelledFailure?: new (
    message: string,
  ) => Error
  readonly CancellationScope?: { current(): { readonly consideredCancelled: boolean } }
}
