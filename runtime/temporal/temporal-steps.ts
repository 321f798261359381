import type { Approval, Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import { checkDecisions } from '../agent/approvals/check-decisions.ts'
import type { AgentResult } from '../agent/loop/agent-options.ts'
import type { Executor } from '../agent/loop/executor.ts'
import { runLoop } from '../agent/loop/loop.ts'
import { LoopError } from '../agent/loop/loop-error.ts'
import type { LoopSettings } from '../agent/loop/loop-settings.ts'
import { limitsOf, Meter } from '../agent/loop/meter.ts'
import type { Call } from '../context/message.ts'
import type { CallSteps } from '../durable/call-steps.ts'
import { joinResults } from '../durable/join-results.ts'
import { reviveError } from '../durable/recorded-error.ts'
import { type RecordedOutcome, reviveOutcome } from '../durable/recorded-outcome.ts'
import { Steps } from '../durable/steps.ts'
import { CallsheetError } from '../errors.ts'
import { isSameJson } from '../json/same-json.ts'
import { readableBySchemas } from '../plan/readable-parameters.ts'
import type { Effects, ToolSchema } from '../schema/schema.ts'
import type { TemporalWorkflow } from './sdk.ts'
import { temporalExecutor } from './temporal-executor.ts'
import type { AgentPlan, KnownTool, OwnActivities } from './wire.ts'

/** Options of {@link temporalSteps}. */
export interface TemporalStepOptions {
  /** `import * as workflow from '@temporalio/workflow'`. */
  readonly workflow: TemporalWorkflow
  /** The most milliseconds of one attempt of a Call, or one Request; ten minutes by default. */
  readonly timeout?: number | undefined
}

/** Calls, plans and agents within one workflow of Temporal, each Call an Activity (DUR-4). */
export interface TemporalSteps extends CallSteps {
  readonly runId: string
  /**
   * Runs an agent of the worker's. Where it waits for approvals, the query `approvals` lists them, and the update `decide`
   * takes a Decision.
   */
  agent<Output = unknown>(name: string, input?: unknown): Promise<AgentResult<Output>>
}

/**
 * Makes the steps of a workflow. It loads no SDK and no code of the Tools: what there is to plan with comes from the worker.
 *
 * @example
 * import * as workflow from '@temporalio/workflow'
 * import { temporalSteps } from 'callsheet/temporal'
 * export async function payRent(task: string): Promise<string | null> {
 *   const { agent } = await temporalSteps({ workflow })
 *   return (await agent<string>('payer', { task })).output
 * }
 */
export async function temporalSteps({
  workflow,
  timeout = 600_000,
}: TemporalStepOptions): Promise<TemporalSteps> {
  type Sent = Record<string, (request: unknown) => Promise<RecordedOutcome>>
  const activities = workflow.proxyActivities({
    startToCloseTimeout: timeout + 10_000,
    heartbeatTimeout: 30_000,
    // Without a limit: what died with its worker goes on. How often a failure is repeated says the Activity, by its Outcome.
    retry: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 10_000 },
    // The one cast: what the worker registers by temporalActivities is typed so.
  }) as OwnActivities & Sent
  const runId = workflow.workflowInfo().workflowId
  const known = await activities['callsheet:tools']()
  const tools = new Map(known.map((tool) => [tool.name, tool]))
  const send = (name: string, request: unknown): Promise<RecordedOutcome> =>
    (activities[name] as Sent[string])(request)
  const get = (name: string): ToolSchema | undefined => tools.get(name)?.schema
  const steps = new Steps({
    Tool: { get },
    runId,
    check: async (calls, context) => {
      const problem = await activities['callsheet:check']({ calls, context })
      if (problem) throw reviveError(problem, reviveOutcome)
    },
    executor: {
      ...temporalExecutor({
        tools,
        send,
        perform: (call) => Promise.reject(notServed(call)),
      }),
      // Temporal cancels by scopes, which are the workflow's own to make; what is under way ends by itself.
      cancel: async () => {},
    },
  })
  let agents = 0
  return {
    runId,
    run: (call, options) => steps.run(call, options),
    all: (calls, options) => steps.all(calls, options),
    plan: (calls, options) => steps.plan(calls, options),
    async agent<Output>(name: string, input: unknown = null): Promise<AgentResult<Output>> {
      const ownId = ++agents === 1 ? runId : `${runId}/${agents}`
      const plan = await activities['callsheet:agent']({ agent: name, input })
      let waiting: { readonly approvals: readonly Approval[]; readonly decisions: readonly Decision[] } = {
        approvals: [],
        decisions: [],
      }
      const executor = temporalExecutor({
        tools,
        send,
        perform: (call, key, policy) =>
          activities['callsheet:perform']({
            agent: name,
            input,
            runId: ownId,
            call,
            key,
            policy,
            ...waiting,
          }),
      })
      const desk = approvalDesk(workflow)
      const parts: AgentResult[] = []
      let resume: SuspendedRun | undefined
      for (;;) {
        try {
          const result = await runLoop(loopSettings(ownId, plan, tools, resume, executor), executor)
          // The one cast: the worker has checked the output by the agent's schema.
          return joinResults(parts, result as AgentResult<Output>)
        } catch (thrown) {
          const suspended = thrown instanceof LoopError ? thrown.result.suspended : undefined
          if (!(thrown instanceof LoopError) || !suspended) throw asFailure(workflow, thrown)
          parts.push(thrown.result)
          waiting = { approvals: suspended.approvals, decisions: await desk.decide(suspended.approvals) }
          resume = suspended
        }
      }
    },
  }
}

function loopSettings(
  runId: string,
  plan: AgentPlan,
  tools: ReadonlyMap<string, KnownTool>,
  resume: SuspendedRun | undefined,
  executor: Executor,
): LoopSettings {
  const effectsOf = ({ _tool }: Call): Effects | undefined => tools.get(_tool)?.schema.effects
  const asks = (wanted: AgentPlan['asks'], call: Call): boolean =>
    wanted === 'all' || (wanted?.includes(effectsOf(call) ?? 'write') ?? false)
  return {
    runId,
    messages: resume?.context ?? plan.context,
    onAppend: () => {},
    meter: new Meter(limitsOf(plan)),
    deadline: plan.maxTime === undefined ? undefined : executor.now() + plan.maxTime,
    isLazy: plan.isLazy,
    followsPlan: true,
    resume,
    concurrency: plan.concurrency ?? Number.POSITIVE_INFINITY,
    isParameter: readableBySchemas((tool) => tools.get(tool)?.schema),
    effectsOf,
    asksForPlanWith: (call) => asks(plan.asksForPlans, call),
    asksFor: (call) => asks(plan.asks, call),
    redact: ({ code, message }) => ({ code, message }),
    onTurn: undefined,
  }
}

/** Where decisions come in, for all the agents of a workflow in turn. */
function approvalDesk(workflow: TemporalWorkflow): {
  decide(approvals: readonly Approval[]): Promise<readonly Decision[]>
} {
  let open: readonly Approval[] = []
  const decided = new Map<string, Decision>()
  workflow.setHandler(workflow.defineQuery('approvals'), () => open.filter(({ id }) => !decided.has(id)))
  workflow.setHandler(
    workflow.defineUpdate('decide'),
    (decision: Decision) => {
      const isNew = !decided.has(decision.approval)
      if (isNew) decided.set(decision.approval, decision)
      return { counted: isNew }
    },
    {
      validator: (decision: Decision) => {
        const before = decided.get(decision?.approval)
        if (before && isSameJson(before, decision)) return
        if (before) throw new Error(`It was decided already, and otherwise: ${JSON.stringify(before)}.`)
        checkDecisions([decision], { approvals: open })
      },
    },
  )
  return {
    async decide(approvals) {
      open = approvals
      for (const { id, hash, expiresAt } of approvals) {
        const isDecided = (): boolean => decided.has(id)
        if (expiresAt === undefined) await workflow.condition(isDecided)
        else if (!(await workflow.condition(isDecided, Math.max(1, expiresAt - Date.now())))) {
          decided.set(id, { approval: id, hash, approve: false, reason: 'nobody decided in time' })
        }
      }
      open = []
      return approvals.flatMap(({ id }) => decided.get(id) ?? [])
    },
  }
}

function notServed({ _tool }: Call): CallsheetError {
  return new CallsheetError(
    'no_implementation',
    `The worker serves no Activity "${_tool}". Register it there, or run the Call as part of an agent.`,
  )
}

/** A workflow that throws anything else is repeated for ever. */
function asFailure({ ApplicationFailure }: TemporalWorkflow, thrown: unknown): unknown {
  if (!(thrown instanceof LoopError)) return thrown
  return ApplicationFailure.nonRetryable(thrown.message, thrown.code)
}
