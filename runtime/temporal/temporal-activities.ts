import type { SuspendedRun } from '../agent/approvals/approval.ts'
import { toConfirmRules, unaskedEffects } from '../agent/approvals/confirm-options.ts'
import type { AgentOptions, AgentTools } from '../agent/loop/agent-options.ts'
import { limitsOf, Meter } from '../agent/loop/meter.ts'
import { registryTool } from '../agent/run/agent-option-rules.ts'
import { agentPerformer } from '../agent/run/run-agent.ts'
import { concurrencyOf, referencesOf, stateBehind } from '../call/registry-state.ts'
import { messagesOf } from '../context/messages-of.ts'
import { requireMessages } from '../context/require-messages.ts'
import type { ActivityTools } from '../durable/activity-request.ts'
import {
  type ActivityRequest,
  mayRunAgain,
  runActivity,
  type ServedCallOptions,
} from '../durable/activity-request.ts'
import { withoutExpiry } from '../durable/decisions.ts'
import {
  agentsByName,
  type DecidedByEngine,
  durableAgentRules,
  optionsOfAgent,
} from '../durable/engine-agents.ts'
import { defaultAttempts, defaultTimeout, engineTime } from '../durable/engine-limits.ts'
import { engineTools } from '../durable/engine-tools.ts'
import { bytesOf, type EngineRecord, keepOutcome } from '../durable/keep-outcome.ts'
import { recordError, reviveError } from '../durable/recorded-error.ts'
import { type RecordedOutcome, recordOutcome, reviveOutcome } from '../durable/recorded-outcome.ts'
import { servedCall } from '../durable/served-call-rules.ts'
import { checkCalls } from '../durable/steps.ts'
import { CallsheetError, isCallsheetError } from '../errors.ts'
import { count, fromZero, omitRules, withMethods } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { isRepeatable } from '../schema/effects.ts'
import { describe } from '../server/served-tools.ts'
import type { TemporalActivityContext } from './sdk.ts'
import type { AgentPlan, KnownTool, OwnActivities, PerformRequest, Refused } from './wire.ts'

/** An agent on Temporal: a function from the input of a run to its options. */
export type TemporalAgent = (
  // biome-ignore lint/suspicious/noExplicitAny: whoever writes the agent names the type of its input
  input: any,
) => Omit<AgentOptions, DecidedByEngine | 'onTurn' | 'redact' | 'search'>

/** Options of {@link temporalActivities}. */
export interface TemporalActivitiesOptions {
  /** The registry whose Activities are served. */
  readonly Tool: ActivityTools & AgentTools
  /** `Context` of `@temporalio/activity`. */
  readonly Context: TemporalActivityContext
  /** Agents by name, for `temporalSteps(…).agent(name, input)`. */
  readonly agents?: Readonly<Record<string, TemporalAgent>> | undefined
  /** Most attempts of a failing Call, including the first. Only Tools declared `read` or `idempotent` are retried. Default: 3. */
  readonly attempts?: number | undefined
  /** Longest attempt of a Call, in milliseconds. Default: ten minutes. */
  readonly timeout?: number | undefined
  /**
   * Largest Outcome as JSON, in bytes; a larger one is `invalid_output`. Default: 2,000,000, since servers accept payloads of 2 MiB.
   * Raise it if the namespace accepts more, or a payload codec compresses or stores payloads elsewhere.
   */
  readonly outcomeBytes?: number | undefined
  /** Options of every served Call, such as `policy` or `model`. */
  readonly serve?: ServedCallOptions | undefined
}

const temporalActivitiesRules: OptionRules<TemporalActivitiesOptions> = {
  Tool: registryTool,
  Context: withMethods('`Context` of "@temporalio/activity"', 'current'),
  agents: agentsByName,
  attempts: count,
  timeout: engineTime,
  outcomeBytes: fromZero,
  serve: servedCall,
}

/** The Activities of Tools by name, for `proxyActivities` of Temporal's SDK: typed by the contract. */
export type TemporalActivities<
  Calls extends object,
  Outputs extends { readonly [Name in keyof Calls]: unknown },
> = {
  [Name in keyof Calls]: (
    request: ActivityRequest<Extract<Calls[Name], { _tool: string }>>,
  ) => Promise<RecordedOutcome & { readonly output?: Outputs[Name] }>
}

/** Interval of heartbeats in milliseconds, by which a dead worker is noticed. */
const heartbeatEvery = 5_000

/**
 * Creates the Activities that a Temporal worker registers (DUR-4): one for each Tool, by its name, and those with which
 * workflows plan Calls and perform the steps of agents.
 *
 * @example
 * import { Context } from '@temporalio/activity'
 * import { Worker } from '@temporalio/worker'
 * const activities = temporalActivities({ Tool, Context })
 * const worker = await Worker.create({ taskQueue: 'trips', activities, workflowsPath })
 */
export function temporalActivities(
  options: TemporalActivitiesOptions,
): OwnActivities & Record<string, (request: never) => Promise<unknown>> {
  requireOptionsOf('temporalActivities', options, temporalActivitiesRules, ['Tool', 'Context'])
  const { Tool } = options
  const served = engineTools(Tool).filter(({ activity }) => activity !== '')
  const byName = served.map(({ name }) => [name, toolActivity(name, options)] as const)
  return { ...Object.fromEntries(byName), ...ownActivities(options) }
}

function toolActivity(
  name: string,
  options: TemporalActivitiesOptions,
): (request: ActivityRequest) => Promise<RecordedOutcome> {
  const { Tool, Context, attempts = defaultAttempts, timeout = defaultTimeout, serve } = options
  const record = temporalRecord(options)
  const mayRepeat = (tool: string): boolean => isRepeatable(Tool.get(tool)?.effects)
  // A hook may have replaced the Call by one that writes, and has begun.
  const isLast = ({ tool, attempts: made }: RecordedOutcome): boolean => made > 0 && !mayRepeat(tool)
  return (request) =>
    withHeartbeat(Context, isLast, async (cancelled, attempt) => {
      // A started write runs to its end: otherwise nobody would know how far it got.
      const mayBeAborted = mayRepeat(name) || cancelled.aborted
      const signal = mayBeAborted ? cancelled : new AbortController().signal
      const outcome = await runActivity(Tool, name, request, { timeout, signal, attempt, run: serve })
      // Thrown for the engine, which retries it; the last attempt, and errors that must not be retried, are returned as Outcomes.
      const { error } = outcome
      if (error && mayRunAgain(Tool, name, outcome) && attempt < attempts) throw withoutCause(error)
      return { ...keepOutcome(outcome, record), attempts: outcome.attempts && attempt }
    })
}

/** Copies an error without its cause: the engine writes all of that into its history, whatever the Activity threw. */
function withoutCause(error: CallsheetError): CallsheetError {
  return reviveError(recordError(error, recordOutcome), reviveOutcome)
}

/** An Activity whose result is larger than a server accepts is repeated by Temporal's SDK, without limit. */
function temporalRecord({ outcomeBytes = 2_000_000 }: TemporalActivitiesOptions): EngineRecord {
  return { engine: 'Temporal (outcomeBytes)', mostBytes: outcomeBytes }
}

function ownActivities(options: TemporalActivitiesOptions): OwnActivities {
  const { Tool, Context, serve } = options
  return {
    'callsheet:tools': () =>
      orRefused(async () => {
        const tools = await Promise.all(
          engineTools(Tool).map(async ({ activity, ...tool }): Promise<KnownTool> => {
            const { contract } = await describe(tool.name, tool.schema)
            const most = stateBehind(Tool)?.defaults.concurrency
            return { ...tool, references: referencesOf(Tool), most, contract, isRemote: activity !== '' }
          }),
        )
        return accepted(tools, options, `The list of the worker's ${tools.length} Tools`)
      }),
    'callsheet:check': ({ calls, context }) => checkCalls(Tool, calls, context, serve),
    'callsheet:agent': ({ agent, input }) =>
      orRefused(() => {
        const given = optionsOf(options, agent, input)
        requireMessages(given.context)
        const { concurrency } = given
        const plan = planOf(
          { ...given, concurrency: concurrencyOf(Tool, concurrency) },
          referencesOf(Tool, given.run),
        )
        return accepted(plan, options, `What the workflow gets of the agent "${agent}", with its context,`)
      }),
    'callsheet:perform': (request) =>
      withHeartbeat(
        Context,
        () => false,
        async (signal) => {
          const { agent, input, runId, call, key, policy } = request
          const given = { ...optionsOf(options, agent, input), tools: Tool, signal, early: 'none' as const }
          const perform = agentPerformer(
            { ...given, ...decisionsOf(request), run: { ...given.run, elsewhere: true } },
            { runId, meter: meterOf(request, given), depth: 0 },
          )
          return keepOutcome(await perform(call, key, policy), temporalRecord(options))
        },
      ),
  }
}

/** Returns the options of an agent that its workflow needs; the others stay with the worker that performs its steps. */
function planOf(given: ReturnType<TemporalAgent>, references: AgentPlan['references']): AgentPlan {
  const { context, plan, concurrency, confirm, maxTurns, maxCalls, maxTokens, maxTime } = given
  const rules = confirm && toConfirmRules(confirm)
  const effects = rules?.effects ?? 'all'
  return {
    context: messagesOf(context),
    isLazy: plan === 'lazy',
    ...(references !== undefined && { references }),
    // JSON has no infinity.
    ...(concurrency !== undefined && Number.isFinite(concurrency) && { concurrency }),
    ...(rules?.ask && { asks: effects }),
    ...(rules?.askPlan && { asksForPlans: effects }),
    ...(rules && { unasked: unaskedEffects(rules) }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxCalls !== undefined && { maxCalls }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxTime !== undefined && { maxTime }),
  }
}

/** Returns the rest of the run's limits: a delegate runs its own loop within one step (REQ-12). */
function meterOf({ spent, policy }: PerformRequest, given: ReturnType<TemporalAgent>): Meter {
  const meter = new Meter(limitsOf(given))
  // The loop has already counted this Call, and performing it counts it again.
  if (spent) meter.add({ ...spent, calls: spent.calls - Number(policy.kind === 'call') })
  return meter
}

/** @throws CallsheetError `invalid_options` for a value that is larger than a server accepts: its SDK would ask for it again and again. */
function accepted<Value extends object>(
  value: Value,
  options: TemporalActivitiesOptions,
  what: string,
): Value {
  const { engine, mostBytes } = temporalRecord(options)
  const bytes = bytesOf(value, mostBytes)
  if (bytes <= mostBytes) return value
  throw new CallsheetError(
    'invalid_options',
    `${what} takes ${bytes} bytes as JSON, and ${engine} keeps ${mostBytes}. Use fewer Tools or a smaller context, or raise outcomeBytes if the namespace accepts more.`,
  )
}

/** Returns the result, or the refusal as a value, since the engine retries what an Activity throws. */
async function orRefused<Value>(work: () => Promise<Value> | Value): Promise<Value | Refused> {
  try {
    return await work()
  } catch (thrown) {
    if (!isCallsheetError(thrown)) throw thrown
    return { refused: recordError(thrown, recordOutcome) }
  }
}

/** Builds the part of a resumed run that the approver needs: its Approvals and decisions. */
function decisionsOf({ approvals, decisions }: PerformRequest): Pick<AgentOptions, 'resume' | 'decisions'> {
  if (approvals.length === 0) return {}
  // The one cast: only the Approvals of a suspended run are read here; its loop is in the workflow.
  const resume = { approvals: withoutExpiry(approvals) } as Partial<SuspendedRun> as SuspendedRun
  return { resume, decisions }
}

const temporalAgentRules: OptionRules<ReturnType<TemporalAgent>> = omitRules(
  durableAgentRules,
  'onTurn',
  'redact',
  'search',
)

function optionsOf(
  { agents = {} }: TemporalActivitiesOptions,
  name: string,
  input: unknown,
): ReturnType<TemporalAgent> {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (agent) return optionsOfAgent(name, agent, input, temporalAgentRules)
  const known = Object.keys(agents).join(', ') || 'none'
  throw new CallsheetError(
    'invalid_options',
    `There is no agent "${name}". The agents of temporalActivities: ${known}.`,
  )
}

/** Why the SDK ends an attempt of a run that goes on: the worker shuts down, or somebody pauses or resets the Activity. */
const repeatedAfter: ReadonlySet<unknown> = new Set(['WORKER_SHUTDOWN', 'PAUSED', 'RESET'])

/**
 * Runs work, and sends heartbeats meanwhile.
 *
 * @param isLast Tells which aborted result no other attempt may follow.
 * @throws The reason for which the SDK aborted it, if another attempt follows: an Outcome would be recorded as the last.
 */
async function withHeartbeat<Result extends { readonly status: string }>(
  Context: TemporalActivityContext,
  isLast: (result: Result) => boolean,
  work: (signal: AbortSignal, attempt: number) => Promise<Result>,
): Promise<Result> {
  const context = Context.current()
  const timer = setInterval(() => context.heartbeat(), heartbeatEvery)
  try {
    const { cancellationSignal: signal } = context
    const result = await work(signal, context.info.attempt)
    const isCut = result.status === 'aborted' && signal.aborted && !isLast(result)
    if (isCut && repeatedAfter.has(signal.reason?.message)) throw signal.reason
    return result
  } finally {
    clearInterval(timer)
  }
}
