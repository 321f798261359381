/** What is used of an Activity's context: `Context` of `@temporalio/activity`. */
export interface TemporalActivityContext {
  current(): {
    readonly info: { readonly attempt: number }
    readonly cancellationSignal: AbortSignal
    heartbeat(): void
  }
}

/** What is used of `@temporalio/workflow`, which a workflow imports as a whole and passes on. */
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
  // biome-ignore-start lint/suspicious/noExplicitAny: definitions are the SDK's own, and only handed back to it
  defineQuery(name: string): any
  defineUpdate(name: string): any
  setHandler(definition: any, handler: (...args: any[]) => unknown, options?: any): void
  // biome-ignore-end lint/suspicious/noExplicitAny: see above
  readonly ApplicationFailure: { nonRetryable(message: string, type?: string): Error }
}
