import type { Approval, Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import type { AgentResult } from '../agent/loop/agent-options.ts'
import type { Executor } from '../agent/loop/executor.ts'
import { runLoop } from '../agent/loop/loop.ts'
import { LoopError } from '../agent/loop/loop-error.ts'
import type { LoopSettings } from '../agent/loop/loop-settings.ts'
import { limitsOf, Meter } from '../agent/loop/meter.ts'
import type { Call } from '../context/message.ts'
import { contradiction, decisionProblem, expiredDecision } from '../durable/decisions.ts'
import { runCancelled } from '../durable/engine-errors.ts'
import { joinError, joinResults } from '../durable/join-results.ts'
import { reviveError } from '../durable/recorded-error.ts'
import { reviveOutcome } from '../durable/recorded-outcome.ts'
import { planReading } from '../plan/plan-reading.ts'
import type { Effects } from '../schema/schema.ts'
import { asFailure } from './as-failure.ts'
import type { TemporalWorkflow } from './sdk.ts'
import { isCancellation, type SendStep, temporalExecutor } from './temporal-executor.ts'
import type { AgentPlan, KnownTool, OwnActivities } from './wire.ts'

/** The inputs of an agent's run within a workflow. */
export interface TemporalAgentRun {
  readonly workflow: TemporalWorkflow
  readonly activities: OwnActivities
  readonly tools: ReadonlyMap<string, KnownTool>
  readonly send: SendStep
  /** The agent's name on the worker. */
  readonly agent: string
  readonly input: unknown
  readonly runId: string
  readonly desk: ApprovalDesk
}

/** Runs an agent to its end, and resumes it when decisions about its Approvals arrive. */
export async function runTemporalAgent(run: TemporalAgentRun): Promise<AgentResult> {
  const { workflow, activities, agent, input, desk } = run
  const plan = await activities['callsheet:agent']({ agent, input }).catch((thrown) => {
    throw asFailure(workflow, thrown)
  })
  if ('refused' in plan) throw asFailure(workflow, reviveError(plan.refused, reviveOutcome))
  const state: RunState = { approvals: [], decisions: [], meter: new Meter(limitsOf(plan)) }
  const executor = agentExecutor(run, plan, state)
  const parts: AgentResult[] = []
  let resume: SuspendedRun | undefined
  for (;;) {
    try {
      return joinResults(parts, await runLoop(loopSettings(run, plan, state, resume, executor), executor))
    } catch (thrown) {
      if (!(thrown instanceof LoopError)) throw asFailure(workflow, thrown)
      const { suspended } = thrown.result
      if (!suspended) throw asFailure(workflow, joinError(parts, thrown))
      const { approvals } = suspended
      state.approvals = approvals
      state.decisions = await desk.decide(approvals).catch((failure) => {
        if (!isCancellation(failure)) throw failure
        const { code, message } = runCancelled()
        throw asFailure(workflow, joinError(parts, new LoopError(code, message, thrown.result)))
      })
      parts.push(thrown.result)
      state.meter = new Meter(limitsOf(plan))
      resume = suspended
    }
  }
}

/** The decisions about the Approvals of a run, and what it has spent. */
interface RunState {
  approvals: readonly Approval[]
  decisions: readonly Decision[]
  meter: Meter
}

/** @param state Sent with each step; changes when a run is resumed. */
function agentExecutor(
  { activities, tools, send, agent, input, runId }: TemporalAgentRun,
  { references }: AgentPlan,
  state: RunState,
): Executor {
  return temporalExecutor({
    tools,
    references,
    send,
    perform: (call, key, policy) => {
      const { approvals, decisions, meter } = state
      const step = { agent, input, runId, call, key, policy, approvals, decisions }
      return activities['callsheet:perform']({ ...step, spent: meter.spent })
    },
  })
}

function loopSettings(
  { runId, tools }: TemporalAgentRun,
  plan: AgentPlan,
  { meter }: RunState,
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
    meter,
    deadline: plan.maxTime === undefined ? undefined : executor.now() + plan.maxTime,
    isLazy: plan.isLazy,
    runsContextPlan: true,
    resume,
    // Resume with the original options.
    isLeftOut: () => false,
    concurrency: plan.concurrency ?? Number.POSITIVE_INFINITY,
    readingOf: (context) => planReading((tool) => tools.get(tool)?.schema, context, plan.references),
    effectsOf,
    needsPlanApproval: (call) => asks(plan.asksForPlans, call),
    needsCallApproval: (call) => asks(plan.asks, call),
    unasked: plan.unasked,
    redact: undefined,
    onTurn: undefined,
  }
}

/** Receives decisions. */
export interface ApprovalDesk {
  decide(approvals: readonly Approval[]): Promise<readonly Decision[]>
}

/**
 * Creates the receiver of decisions, one per workflow: a query and an update can have only one handler, while agents
 * may run concurrently.
 */
export function approvalDesk(workflow: TemporalWorkflow): ApprovalDesk {
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
        const problem = before ? contradiction(before, decision) : decisionProblem(decision, open, Date.now())
        if (problem !== undefined) throw new Error(problem)
      },
    },
  )
  return {
    async decide(approvals) {
      open = [...open, ...approvals]
      try {
        for (const approval of approvals) {
          const { id, expiresAt } = approval
          const isDecided = (): boolean => decided.has(id)
          if (expiresAt === undefined) await workflow.condition(isDecided)
          else if (!(await workflow.condition(isDecided, Math.max(1, expiresAt - Date.now())))) {
            decided.set(id, expiredDecision(approval))
          }
        }
      } finally {
        open = open.filter((approval) => !approvals.includes(approval))
      }
      return approvals.flatMap(({ id }) => decided.get(id) ?? [])
    },
  }
}
