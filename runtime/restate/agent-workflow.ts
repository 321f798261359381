import type { Approval, Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import type { AgentResult } from '../agent/loop/agent-options.ts'
import { LoopError } from '../agent/loop/loop-error.ts'
import type { Message } from '../context/message.ts'
import { contradiction, decisionProblem } from '../durable/decisions.ts'
import { optionsOfAgent } from '../durable/engine-agents.ts'
import { type RecordedOutcome, recordOutcome } from '../durable/recorded-outcome.ts'
import type { ErrorData } from '../errors.ts'
import { endOnErrors } from './end-on-errors.ts'
import { handlerOptions, type WholeLimits } from './limits.ts'
import {
  type RestateAgentOptions,
  type RestateStepOptions,
  restateAgentRules,
  restateSteps,
  type WaitForDecisions,
} from './restate-steps.ts'
import { jsonSerde, type RestateSdk, type RestateService, type RestateWorkflowContext } from './sdk.ts'
import { waitForDecision } from './wait-for-decision.ts'

/** An agent on Restate: a function from the input of a run to its options. */
export type RestateAgent = (
  // biome-ignore lint/suspicious/noExplicitAny: whoever writes the agent names the type of its input
  input: any,
) => Omit<RestateAgentOptions, 'onApprovals'> & {
  /** Called with the Approvals that a run waits for; repeatedly if the process dies just then. */
  readonly onApprovals?: ((approvals: readonly Approval[]) => void | Promise<void>) | undefined
}

/** The result of an agent's run, as plain JSON; also for a run that ended without an output. */
export interface AgentRun {
  readonly runId: string
  readonly output: unknown
  readonly error?: ErrorData
  readonly outcomes: readonly RecordedOutcome[]
  /** All Messages: another run can continue from here. */
  readonly context: readonly Message[]
  readonly usage: AgentResult['usage']
  readonly spent: AgentResult['spent']
}

export interface AgentWorkflowSettings extends RestateStepOptions {
  readonly sdk: RestateSdk
  readonly name: string
  readonly agent: RestateAgent
  readonly limits: WholeLimits
}

const pendingState = 'approvals'

/**
 * Creates the workflow of an agent: `run`, once for each key, and meanwhile `approvals`, which lists the waiting
 * Approvals, and `decide`, which accepts a Decision (DUR-3).
 */
export function agentWorkflow(settings: AgentWorkflowSettings): RestateService {
  const { sdk, name, agent, limits } = settings
  const serde = jsonSerde<readonly Approval[]>()
  const pending = async (ctx: RestateWorkflowContext): Promise<readonly Approval[]> =>
    (await ctx.get(pendingState, serde)) ?? []
  return sdk.workflow({
    name,
    handlers: {
      run: (ctx: RestateWorkflowContext, input: unknown): Promise<AgentRun> =>
        endOnErrors(sdk, async () => {
          const { onApprovals, ...options } = optionsOfAgent(name, agent, input, restateAgentRules)
          const wait = waitByDecide(sdk, ctx, onApprovals)
          const steps = await restateSteps({ ...settings, ctx, runId: `${name}/${ctx.key}`, wait })
          try {
            return toAgentRun(await steps.agent(options))
          } catch (thrown) {
            if (!(thrown instanceof LoopError)) throw thrown
            return { ...toAgentRun(thrown.result), error: thrown.toJSON() }
          }
        }),
      approvals: pending,
      decide: async (ctx: RestateWorkflowContext, decision: Decision): Promise<{ counted: boolean }> => {
        const given = ctx.promise<Decision>(promiseOf(decision?.approval), jsonSerde())
        const before = await given.peek()
        if (before) return requireSame(sdk, before, decision)
        const now = await ctx.run('callsheet: now', async () => Date.now(), { serde: jsonSerde<number>() })
        const problem = decisionProblem(decision, await pending(ctx), now)
        if (problem !== undefined) throw new sdk.TerminalError(problem, { errorCode: 409 })
        try {
          await given.resolve(decision)
          return { counted: true }
        } catch (thrown) {
          // Another decision arrived between the check and this one.
          const first = await given.peek()
          if (!first) throw thrown
          return requireSame(sdk, first, decision)
        }
      },
    },
    options: handlerOptions(limits),
  })
}

/** Waits for the Decision that `decide` accepts: by the Approval's durable promise, which can be resolved once. */
function waitByDecide(
  sdk: RestateSdk,
  ctx: RestateWorkflowContext,
  onApprovals: ReturnType<RestateAgent>['onApprovals'],
): WaitForDecisions {
  const decisionsOf = async ({ approvals }: SuspendedRun, now: number): Promise<readonly Decision[]> => {
    if (onApprovals) {
      const tell = async (): Promise<unknown> => (await onApprovals(approvals)) ?? null
      await ctx.run('callsheet: approvals', tell, { serde: jsonSerde() })
    }
    const waits = approvals.map((approval) => {
      const promise = ctx.promise<Decision>(promiseOf(approval.id), jsonSerde()).get()
      return waitForDecision({ sdk, ctx, approval, promise, now })
    })
    const decisions: Decision[] = []
    for (const wait of waits) decisions.push(await wait)
    return decisions
  }
  return async (suspended, now) => {
    ctx.set(pendingState, suspended.approvals, jsonSerde())
    try {
      const decisions = await decisionsOf(suspended, now)
      ctx.clear(pendingState)
      return decisions
    } catch (thrown) {
      // A cancelled run waits for nothing. Any other exception is how the engine ends this attempt.
      if (thrown instanceof sdk.CancelledError) ctx.clear(pendingState)
      throw thrown
    }
  }
}

/** Returns the name of an Approval's promise; for a malformed id, one that nothing waits for. */
function promiseOf(approval: unknown): string {
  return `decision of ${typeof approval === 'string' ? approval : 'nothing'}`
}

/** Accepts a repeated Decision, which counts once; a different one is too late. */
function requireSame(sdk: RestateSdk, first: Decision, given: Decision): { counted: boolean } {
  const problem = contradiction(first, given)
  if (problem === undefined) return { counted: false }
  throw new sdk.TerminalError(problem, { errorCode: 409 })
}

function toAgentRun({ runId, output, outcomes, context, usage, spent }: AgentResult): AgentRun {
  return { runId, output: output ?? null, outcomes: outcomes.map(recordOutcome), context, usage, spent }
}
