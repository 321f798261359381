import { isFunction } from '../problems/field-rule.ts'
import { requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { endOnErrors } from './end-on-errors.ts'
import { restateSdk, restateStepRules } from './restate-step-rules.ts'
import { type RestateStepOptions, type RestateSteps, restateSteps } from './restate-steps.ts'
import { loadRestateSdk, type RestateContext, type RestateSdk } from './sdk.ts'

/** Options of {@link restateHandler}. */
export interface RestateHandlerOptions extends RestateStepOptions {
  /** Restate's SDK, for bundlers that need to see the import. Default: loaded on first use. */
  readonly sdk?: RestateSdk | undefined
}

/**
 * Creates a handler for Restate's SDK whose Calls, plans and agents are recorded step by step (DUR-1). If its process
 * dies, another one continues from the record, and repeats no recorded step.
 *
 * Outside of the steps, the function must not read a clock, use randomness, or await anything else: a replay must take
 * the same path. A CallsheetError ends the invocation; the engine retries other errors.
 *
 * @example
 * const trips = restate.service({
 *   name: 'trips',
 *   handlers: {
 *     quote: restateHandler({ Tool }, async ({ all, run }, { from, to }: Trip) => {
 *       const [start, end] = await all([calls.findPlace({ name: from }), calls.findPlace({ name: to })])
 *       const { output, error } = await run(calls.distance({ from: start, to: end }))
 *       if (error) throw error
 *       return output
 *     }),
 *   },
 * })
 */
export function restateHandler<Input, Output>(
  options: RestateHandlerOptions,
  work: (steps: RestateSteps, input: Input) => Promise<Output>,
): (ctx: RestateContext, input: Input) => Promise<Output> {
  requireOptionsOf('restateHandler', options, { ...restateStepRules, sdk: restateSdk }, ['Tool'])
  requireArgument('restateHandler', work, [isFunction, 'options, and a function of the steps after them'])
  requireToolNames(options.local ?? [], options.Tool, 'run where the run is')
  return async (ctx, input) => {
    const sdk = options.sdk ?? (await loadRestateSdk())
    return endOnErrors(sdk, async () =>
      work(await restateSteps({ ...options, sdk, ctx, runId: ctx.request().id }), input),
    )
  }
}
