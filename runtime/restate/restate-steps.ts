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
import { decidedInTime } from '../durable/decisions.ts'
import { type DecidedByEngine, durableAgentRules } from '../durable/engine-agents.ts'
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

/** What running on Restate needs of a registry: the `Tool` that `generated/` exports, or one made by hand. */
export interface RestateTools extends ActivityTools, Omit<AgentTools, 'names'> {}

/** Which Calls go where, and how. */
export interface RestateStepOptions {
  readonly Tool: RestateTools
  /** The service whose handlers are the Activities, such as {@link restateServices} makes it; `tools` by default. */
  readonly service?: string | undefined
  /** Tools whose Calls run in this process and are only recorded: what is cheap and harmless. All others with an Activity are sent. */
  readonly local?: readonly string[] | undefined
  /** Options of the Calls that run in this process. */
  readonly run?: EveryCallOptions | undefined
}

/** Options of an agent's run on Restate: those of `Agent`, without what the engine decides. */
export interface RestateAgentOptions extends Omit<AgentOptions, DecidedByEngine | 'run'> {
  /**
   * Told of Approvals that are waited for, once more where the process dies just then. Each has an `awakeable`: whoever
   * resolves it with a Decision, in whatever process and however late, decides. Without it the run ends with `approval_pending`.
   */
  readonly onApprovals?: ((approvals: readonly ToldApproval[]) => void | Promise<void>) | undefined
}

/** What the options of an agent must be. */
export const restateAgentRules: OptionRules<RestateAgentOptions> = {
  ...omitRules(durableAgentRules, 'run'),
  onApprovals: aFunction,
}

/** Waits for decisions about what a suspended run asks; one for each Approval. */
export type WaitForDecisions = (suspended: SuspendedRun, now: number) => Promise<readonly Decision[]>

/** Calls, plans and agents within one handler of Restate, each Call a step that is recorded (DUR-1). */
export interface RestateSteps extends CallSteps {
  /** In front of all keys, and so of every `run.id`; the same on every replay. */
  readonly runId: string
  /** Aborts when the invocation is cancelled. */
  readonly signal: AbortSignal
  /** What the other steps are made of, for a custom loop (REQ-8a). */
  readonly executor: ExecutorFactory
  /** Runs an agent: its Requests are recorded as well, so that no answer is paid for twice. */
  agent<Output = unknown>(options: RestateAgentOptions): Promise<AgentResult<Output>>
}

/** What the steps of one invocation are made of. */
export interface RestateStepSettings extends RestateStepOptions {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly runId: string
  /** How decisions come in; by awakeables by default. */
  readonly wait?: WaitForDecisions | undefined
}

/** Makes the steps of one invocation. */
export async function restateSteps(settings: RestateStepSettings): Promise<RestateSteps> {
  const { sdk, ctx, Tool, service = 'tools', local = [], run = {}, runId } = settings
  const startedAt = await ctx.run('callsheet: start', async () => Date.now(), { serde: jsonSerde<number>() })
  const references = referencesOf(Tool, run)
  const sent = new Map(
    engineTools(Tool).flatMap(({ name, activity, ...tool }) =>
      activity === '' || local.includes(name) ? [] : [[name, { ...tool, references }]],
    ),
  )
  const cancelled = new AbortController()
  const signal = AbortSignal.any([cancelled.signal, ctx.request().attemptCompletedSignal])
  const inner: RestateExecutorSettings = {
    sdk,
    ctx,
    Tool,
    service,
    sent,
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

/** Runs an agent, and goes on with it as often as decisions come in. */
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
  // Where an Activity runs is decided by what is sent, and what has begun must be recorded before anything follows.
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
      parts.push(thrown.result)
      decisions = await waitFor(suspended, executor?.now() ?? inner.startedAt)
      checkDecisions(decisions, suspended)
      resume = { ...suspended, approvals: decidedInTime(suspended.approvals) }
    }
  }
}

/** The contracts of Tools that run elsewhere. Each is computed once for a registry. */
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
