import { isFunction } from '../problems/field-rule.ts'
import { requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { endOnErrors } from './end-on-errors.ts'
import { restateSdk, restateStepRules } from './restate-step-rules.ts'
import { type RestateStepOptions, type RestateSteps, restateSteps } from './restate-steps.ts'
import { loadRestateSdk, type RestateContext, type RestateSdk } from './sdk.ts'

/** Options of {@link restateHandler}. */
export interface RestateHandlerOptions extends RestateStepOptions {
  /** Restate's SDK, where a bundler has to see its import; loaded from where it is installed unless given. */
  readonly sdk?: RestateSdk | undefined
}

/**
 * Makes a handler of Restate's SDK whose Calls, plans and agents are recorded step by step (DUR-1). When its process dies,
 * another one goes on from the record, and repeats nothing that is in it.
 *
 * Outside of the steps the work may read no clock, draw no random number and wait for nothing but them: a replay has to
 * take the same way. A Callsheet error that it throws ends the invocation; other errors are repeated by the engine.
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
