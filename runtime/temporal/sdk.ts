import type { Decision } from '../agent/approvals/approval.ts'

/** The used part of an Activity's context: `Context` of `@temporalio/activity`. */
export interface TemporalActivityContext {
  current(): {
    readonly info: { readonly attempt: number }
    readonly cancellationSignal: AbortSignal
    heartbeat(): void
  }
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
  workflowInfo(): { readonly workflowId: string }
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
}
