import type { Decision, SuspendedRun } from '../agent/approvals/approval.ts'
import { checkDecisions } from '../agent/approvals/check-decisions.ts'
import type { AgentOptions, AgentResult, AgentTools, EveryCallOptions } from '../agent/loop/agent-options.ts'
import type { ExecutorFactory } from '../agent/loop/executor.ts'
import { LoopError } from '../agent/loop/loop-error.ts'
import { Agent } from '../agent/run/agent.ts'
import { concurrencyOf, referencesOf } from '../call/registry-state.ts'
import type { ActivityTools } from '../durable/activity-request.ts'
import { agentRunIds } from '../durable/agent-run-ids.ts'
import type { CallSteps } from '../durable/call-steps.ts'
import { withoutExpiry } from '../durable/decisions.ts'
import { type DecidedByEngine, durableAgentRules } from '../durable/engine-agents.ts'
import { runCancelled } from '../durable/engine-errors.ts'
import { engineTools } from '../durable/engine-tools.ts'
import { joinError, joinResults } from '../durable/join-results.ts'
import type { RecordedError } from '../durable/recorded-error.ts'
import { checkCalls, Steps, stepPerformer } from '../durable/steps.ts'
import { aFunction, omitRules } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { describe } from '../server/served-tools.ts'
import { type ToldApproval, waitByAwakeables } from './approvals-by-awakeables.ts'
import { RestateExecutor, type RestateExecutorSettings } from './restate-executor.ts'
import { jsonSerde, type RestateContext, type RestateSdk } from './sdk.ts'

/** The part of a registry's `Tool` that running on Restate uses. */
export interface RestateTools extends ActivityTools, Omit<AgentTools, 'names'> {}

/** Where Calls run, and how. */
export interface RestateStepOptions {
  readonly Tool: RestateTools
  /** The name of the service whose handlers are the Activities, created by {@link restateServices}. Default: `tools`. */
  readonly service?: string | undefined
  /**
   * Tools whose Calls run in this process and are only recorded, for cheap and harmless ones. All others with an
   * Activity are sent.
   */
  readonly local?: readonly string[] | undefined
  /** Options of the Calls that run in this process. */
  readonly run?: EveryCallOptions | undefined
}

/** Options of an agent's run on Restate: those of `Agent` that the engine does not set itself. */
export interface RestateAgentOptions extends Omit<AgentOptions, DecidedByEngine | 'run'> {
  /**
   * Called with waiting Approvals, repeatedly if the process dies just then. Each has an `awakeable`: resolve it with a
   * Decision, in any process, at any time. Without this option the run ends with `approval_pending`.
   */
  readonly onApprovals?: ((approvals: readonly ToldApproval[]) => void | Promise<void>) | undefined
}

/** The rules for the options of an agent. */
export const restateAgentRules: OptionRules<RestateAgentOptions> = {
  ...omitRules(durableAgentRules, 'run'),
  onApprovals: aFunction,
}

/** Waits for decisions about a suspended run, one for each Approval. */
export type WaitForDecisions = (suspended: SuspendedRun, now: number) => Promise<readonly Decision[]>

/** Runs Calls, plans and agents within one handler of Restate, each Call as a recorded step (DUR-1). */
export interface RestateSteps extends CallSteps {
  /** The prefix of all keys, and so of every `run.id`; the same on every replay. */
  readonly runId: string
  /** Aborts if the invocation is cancelled. */
  readonly signal: AbortSignal
  /** The underlying executor, for a custom loop (REQ-8a). */
  readonly executor: ExecutorFactory
  /** Runs an agent. Its Requests are recorded too, so that no answer is paid for twice. */
  agent<Output = unknown>(options: RestateAgentOptions): Promise<AgentResult<Output>>
}

/** The inputs for the steps of one invocation. */
export interface RestateStepSettings extends RestateStepOptions {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly runId: string
  /** How decisions arrive. Default: by awakeables. */
  readonly wait?: WaitForDecisions | undefined
}

/** Creates the steps of one invocation. */
export async function restateSteps(settings: RestateStepSettings): Promise<RestateSteps> {
  const { sdk, ctx, Tool, service = 'tools', local = [], run = {}, runId } = settings
  const startedAt = await ctx.run('callsheet: start', async () => Date.now(), { serde: jsonSerde<number>() })
  const references = referencesOf(Tool, run)
  const sent = new Map(
    engineTools(Tool).flatMap(({ name, activity, ...tool }) =>
      activity === '' || local.includes(name) ? [] : [[name, { ...tool, references }]],
    ),
  )
  const here = engineTools(Tool).filter(({ name, activity }) => activity !== '' && local.includes(name))
  let writes = 0
  const cancelled = new AbortController()
  const signal = AbortSignal.any([cancelled.signal, ctx.request().attemptCompletedSignal])
  const inner: RestateExecutorSettings = {
    sdk,
    ctx,
    Tool,
    service,
    sent,
    local: new Set(here.map(({ name }) => name)),
    nextWrite: () => ++writes,
    contracts: await contractsOf(Tool, [...sent.keys()]),
    startedAt,
    cancelled,
  }
  const steps = new Steps({
    Tool,
    most: concurrencyOf(Tool),
    runId,
    references,
    check: (calls, context) =>
      ctx.run('callsheet: check', () => checkCalls(Tool, calls, context, { ...run, references }), {
        serde: jsonSerde<RecordedError | null>(),
      }),
    executor: new RestateExecutor(inner, stepPerformer(Tool, run, signal)),
  })
  const nextAgent = agentRunIds(runId)
  return {
    runId,
    signal: cancelled.signal,
    executor: (perform) => new RestateExecutor(inner, perform),
    run: (call, options) => steps.run(call, options),
    all: (calls, options) => steps.all(calls, options),
    plan: (calls, options) => steps.plan(calls, options),
    agent: async (options) => {
      requireOptionsOf('`agent`', options, restateAgentRules, ['model'])
      return runAgent(settings, inner, signal, nextAgent(), options)
    },
  }
}

/** Runs an agent, and resumes it whenever decisions arrive. */
async function runAgent<Output>(
  { ctx, sdk, Tool, wait, run = {} }: RestateStepSettings,
  inner: RestateExecutorSettings,
  signal: AbortSignal,
  runId: string,
  { onApprovals, ...options }: RestateAgentOptions,
): Promise<AgentResult<Output>> {
  let executor: RestateExecutor | undefined
  const factory: ExecutorFactory = (perform) => {
    executor = new RestateExecutor({ ...inner, startedAt: executor?.now() ?? inner.startedAt }, perform)
    return executor
  }
  const waitFor = wait ?? (onApprovals && waitByAwakeables({ ctx, sdk, onApprovals }))
  // The dispatch decides where an Activity runs, and started Calls must be recorded before anything follows.
  const fixed = {
    tools: Tool,
    runId,
    signal,
    executor: factory,
    early: 'none',
    run: { ...run, elsewhere: true },
  } as const
  const parts: AgentResult[] = []
  let resume: SuspendedRun | undefined
  let decisions: readonly Decision[] = []
  for (;;) {
    try {
      return joinResults(parts, await Agent<Output>({ ...options, ...fixed, resume, decisions }))
    } catch (thrown) {
      if (!(thrown instanceof LoopError)) throw thrown
      const { suspended } = thrown.result
      if (!suspended || !waitFor) throw joinError(parts, thrown)
      const decided = waitFor(suspended, executor?.now() ?? inner.startedAt)
      decisions = await decided.catch((failure) => {
        if (!(failure instanceof sdk.CancelledError)) throw failure
        const { code, message } = runCancelled()
        throw joinError(parts, new LoopError(code, message, thrown.result))
      })
      parts.push(thrown.result)
      checkDecisions(decisions, suspended)
      resume = { ...suspended, approvals: withoutExpiry(suspended.approvals) }
    }
  }
}

/** Computes the contract hashes of Tools that run in other processes; cached per registry. */
async function contractsOf(
  Tool: ActivityTools,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const contracts = new Map<string, string>()
  for (const name of names) {
    const schema = Tool.get(name)
    if (schema) contracts.set(name, (await describe(name, schema)).contract)
  }
  return contracts
}
