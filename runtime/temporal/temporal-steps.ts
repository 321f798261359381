import type { AgentResult } from '../agent/loop/agent-options.ts'
import type { Call } from '../context/message.ts'
import { agentRunIds } from '../durable/agent-run-ids.ts'
import type { CallSteps, StepCall, StepOptions } from '../durable/call-steps.ts'
import { defaultTimeout, engineTime } from '../durable/engine-limits.ts'
import { reviveError } from '../durable/recorded-error.ts'
import { type RecordedOutcome, reviveOutcome } from '../durable/recorded-outcome.ts'
import { Steps } from '../durable/steps.ts'
import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { fromZero, isFunction } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { asFailure } from './as-failure.ts'
import { boundedRequests, type SentActivities } from './bounded-requests.ts'
import type { TemporalWorkflow } from './sdk.ts'
import { approvalDesk, runTemporalAgent } from './temporal-agent.ts'
import { temporalExecutor } from './temporal-executor.ts'
import type { OwnActivities } from './wire.ts'
import { workflowRun } from './workflow-run.ts'

/** Options of {@link temporalSteps}. */
export interface TemporalStepOptions {
  /** `import * as workflow from '@temporalio/workflow'`. */
  readonly workflow: TemporalWorkflow
  /** Longest attempt of a Call, or Request, in milliseconds. Default: ten minutes. */
  readonly timeout?: number | undefined
  /**
   * Largest request to an Activity as JSON, in bytes: a Call with the context that it sees, or the input of an agent. A larger one is
   * `invalid_call` or `invalid_options`. Default: 2,000,000, since servers accept payloads of 2 MiB. Raise it together with the worker's
   * `outcomeBytes`.
   */
  readonly requestBytes?: number | undefined
}

const temporalStepRules: OptionRules<TemporalStepOptions> = {
  workflow: [
    (value) => isJsonObject(value) && isFunction(value.proxyActivities) && isFunction(value.workflowInfo),
    'what `import * as workflow from "@temporalio/workflow"` gives',
  ],
  timeout: engineTime,
  requestBytes: fromZero,
}

/** Runs Calls, plans and agents within a Temporal workflow, each Call as an Activity (DUR-4). */
export interface TemporalSteps extends CallSteps {
  readonly runId: string
  /**
   * Runs an agent of the worker. While it waits for approvals, the query `approvals` lists them, and the update `decide` accepts a
   * Decision.
   */
  agent<Output = unknown>(name: string, input?: unknown): Promise<AgentResult<Output>>
}

/**
 * Creates the steps of a workflow. Loads no SDK and no code of the Tools: their data comes from the worker.
 *
 * @example
 * import * as workflow from '@temporalio/workflow'
 * import { temporalSteps } from 'callsheet/workflow'
 * export async function payRent(task: string): Promise<string | null> {
 *   const { agent } = await temporalSteps({ workflow })
 *   return (await agent<string>('payer', { task })).output
 * }
 */
export async function temporalSteps(options: TemporalStepOptions): Promise<TemporalSteps> {
  requireOptionsOf('temporalSteps', options, temporalStepRules, ['workflow'])
  const { workflow, timeout = defaultTimeout, requestBytes = 2_000_000 } = options
  // The two casts: this is the type of the worker's temporalActivities.
  type Sent = SentActivities<RecordedOutcome>
  const sent = workflow.proxyActivities({
    startToCloseTimeout: timeout + 10_000,
    heartbeatTimeout: 30_000,
    // Unlimited retries, so that a step continues after its worker died. The Activity limits retries of failures, by its Outcome.
    retry: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 10_000 },
  }) as Sent
  const activities = boundedRequests(sent, requestBytes) as OwnActivities & Sent
  const shared = workflowRun(workflow.workflowInfo())
  const runId = shared.nextSteps()
  const known = await activities['callsheet:tools']()
  if ('refused' in known) throw asFailure(workflow, reviveError(known.refused, reviveOutcome))
  const tools = new Map(known.map((tool) => [tool.name, tool]))
  const send = (name: string, request: unknown): Promise<RecordedOutcome> =>
    (activities[name] as Sent[string])(request)
  const steps = new Steps({
    Tool: { get: (name) => tools.get(name)?.schema },
    // The same for all Tools, since it is the registry's option.
    references: known[0]?.references,
    most: known[0]?.most,
    runId,
    check: (calls, context) => activities['callsheet:check']({ calls, context }),
    executor: {
      ...temporalExecutor({
        tools,
        send,
        perform: (call) => Promise.reject(notServed(call)),
      }),
      // Temporal cancels by scopes, which only the workflow can create; running Calls end by themselves.
      cancel: async () => {},
    },
  })
  const fail = (thrown: unknown): never => {
    throw asFailure(workflow, thrown)
  }
  const nextAgent = agentRunIds(runId)
  return {
    runId,
    run: <Output>(call: StepCall, options?: StepOptions) => steps.run<Output>(call, options).catch(fail),
    all: (calls, options) => steps.all(calls, options).catch(fail),
    plan: (calls, options) => steps.plan(calls, options).catch(fail),
    agent: async <Output>(agent: string, input: unknown = null): Promise<AgentResult<Output>> => {
      shared.desk ??= approvalDesk(workflow)
      const common = { workflow, activities, tools, send, desk: shared.desk }
      const result = await runTemporalAgent({ ...common, agent, input, runId: nextAgent() })
      // The one cast: the worker has validated the output with the agent's schema.
      return result as AgentResult<Output>
    },
  }
}

function notServed({ _tool }: Call): CallsheetError {
  return new CallsheetError(
    'no_implementation',
    `The worker serves no Activity "${_tool}". Register it there, or run the Call as part of an agent.`,
  )
}
