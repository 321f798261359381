import { callPolicy, contextOf } from '../agent/loop/call-policy.ts'
import { dispatchPlan } from '../agent/loop/dispatch-plan.ts'
import type { Executor, Perform, PerformedOutcome } from '../agent/loop/executor.ts'
import type { PlannedCall } from '../agent/loop/planned-call.ts'
import { runOptionRules } from '../call/controls/require-options.ts'
import type { Outcome } from '../call/outcome.ts'
import { failureOf } from '../call/run/branch-error.ts'
import type { RunOptions } from '../call/run-options.ts'
import { appendAll } from '../context/append-all.ts'
import { contextRule } from '../context/context-rule.ts'
import type { Call, Message } from '../context/message.ts'
import { messagesOf } from '../context/messages-of.ts'
import type { Reader } from '../context/reader.ts'
import { readerOf } from '../context/state.ts'
import { ActivityError } from '../errors.ts'
import { copyPlain } from '../json/copy-plain.ts'
import { isJsonObject } from '../json/json.ts'
import { checkPlan } from '../plan/check-plan.ts'
import type { PlanFacts } from '../plan/plan.ts'
import { planReading } from '../plan/plan-reading.ts'
import { plannedCalls } from '../plan/planned-calls.ts'
import type { BlockedCall, PlanResult } from '../plan/run-plan.ts'
import type { FieldRule } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import type { ActivityTools } from './activity-request.ts'
import type { CallSteps, StepCall, StepOptions, StepOutputs } from './call-steps.ts'
import { type RecordedError, recordError, reviveError } from './recorded-error.ts'
import { recordOutcome, reviveOutcome } from './recorded-outcome.ts'
import { runOf } from './sent-call.ts'

/** An executor that can cancel what it started. */
export interface DurableExecutor<Handle = unknown> extends Executor<Handle> {
  /** Cancels dispatched Calls; each still ends in an Outcome, which is reported. */
  cancel(pending: readonly Handle[]): Promise<void>
}

export interface StepSettings {
  readonly Tool: Pick<ActivityTools, 'get'>
  /** The registry's limit of concurrent Calls. */
  readonly most?: number | undefined
  /** The References that its Calls may read. */
  readonly references?: RunOptions['references']
  /** Checks Calls before any of them starts, with {@link checkCalls}, and records the result. */
  readonly check: (calls: readonly Call[], context: readonly Message[]) => Promise<RecordedError | null>
  readonly executor: DurableExecutor
  readonly runId: string
}

const stepRules: OptionRules<StepOptions> = {
  context: contextRule,
  concurrency: runOptionRules.concurrency,
}
const aCall: FieldRule = [isJsonObject, 'a Call such as { _tool: "name", … }']
const someCalls: FieldRule = [Array.isArray, 'a list of Calls']

/** Runs Calls and plans on an engine, each Call as a separate step: the counterpart of `Tool` within a durable function. */
export class Steps implements CallSteps {
  readonly #settings: StepSettings
  /** Number of groups so far; a replay creates the same ones in the same order. */
  #groups = 0

  constructor(settings: StepSettings) {
    this.#settings = settings
  }

  async run<Output = unknown>(call: StepCall, options: StepOptions = {}): Promise<Outcome<Output>> {
    requireArgument('`run`', call, aCall)
    requireOptionsOf('`run`', options, stepRules)
    const { context } = options
    const [outcome] = await this.#each([call as Call], { context }, () => false)
    if (outcome?.status === 'succeeded') appendAll(context, outcome.appended)
    // The one cast: the Tool's check has validated the output that its builder promises.
    return outcome as Outcome<Output>
  }

  async all<const Given extends readonly StepCall[]>(
    calls: Given,
    options: StepOptions = {},
  ): Promise<StepOutputs<Given>> {
    requireArgument('`all`', calls, someCalls)
    requireOptionsOf('`all`', options, stepRules)
    const problem = await this.#settings.check(calls as readonly Call[], messagesOf(options.context))
    if (problem) throw reviveError(problem, reviveOutcome)
    let failure: Error | undefined
    const outcomes = await this.#each(calls as readonly Call[], options, (outcome) => {
      failure ??= failureOf(outcome)
      return failure !== undefined
    })
    if (failure) throw failure
    const done = outcomes as readonly Outcome[]
    appendAll(
      options.context,
      done.flatMap(({ appended }) => appended),
    )
    return done.map(({ output }) => output) as StepOutputs<Given>
  }

  async plan(
    given: Pick<PlanFacts, 'calls'> | readonly StepCall[],
    options: StepOptions = {},
  ): Promise<PlanResult> {
    requireOptionsOf('`plan`', options, stepRules)
    const { context } = options
    const { executor, runId, Tool, references } = this.#settings
    const base = [...messagesOf(context)]
    const { isReadable, complete } = planReading((name) => Tool.get(name), base, references)
    const calls = plannedCalls(given, '`plan`').map(complete)
    const { waitsFor } = checkPlan(calls, { context: base, isWhole: true }, isReadable)
    const group = ++this.#groups
    const planned = calls.map((call, place): PlannedCall => ({ id: `s${group}.${place}`, call }))
    const blocked: BlockedCall[] = []
    await dispatchPlan(planned, {
      runId,
      concurrency: this.#concurrency(options),
      isParameter: isReadable,
      executor,
      base,
      waitsFor,
      dispatch: ({ id, call }, view) => this.#dispatch(id, call, view),
      redact: (outcome) => outcome,
      onBlocked: (place, missing) => blocked.push({ place, call: calls[place] as Call, missing }),
    })
    const added = planned.flatMap(({ outcome }) => outcome?.appended ?? [])
    appendAll(context, added)
    blocked.sort((left, right) => left.place - right.place)
    return { outcomes: planned.map(({ outcome }) => outcome), blocked, context: [...base, ...added] }
  }

  /**
   * Runs Calls concurrently.
   *
   * @param isOver Called with each Outcome; if it returns true, running Calls are cancelled and no other starts.
   */
  async #each(
    calls: readonly Call[],
    options: StepOptions,
    isOver: (outcome: Outcome) => boolean,
  ): Promise<readonly (PerformedOutcome | undefined)[]> {
    const { executor, runId } = this.#settings
    const group = ++this.#groups
    const view = readerOf([...messagesOf(options.context)])
    const concurrency = this.#concurrency(options)
    const outcomes: (PerformedOutcome | undefined)[] = calls.map(() => undefined)
    const pending = new Map<string, { readonly place: number; readonly handle: unknown }>()
    let next = 0
    let stopped = false
    for (;;) {
      while (!stopped && next < calls.length && pending.size < concurrency) {
        const place = next++
        const id = `s${group}.${place}`
        const handle = this.#dispatch(id, copyPlain(calls[place] as Call), view)
        pending.set(`${runId}:${id}`, { place, handle })
      }
      if (pending.size === 0) return outcomes
      const { id, outcome } = await executor.next(Array.from(pending.values(), ({ handle }) => handle))
      const ended = pending.get(id)
      if (!ended) throw new Error(`The executor returned "${id}", which is not pending.`)
      pending.delete(id)
      outcomes[ended.place] = outcome
      if (isOver(outcome) && !stopped) {
        stopped = true
        await executor.cancel(Array.from(pending.values(), ({ handle }) => handle))
      }
    }
  }

  #concurrency({ concurrency = Number.POSITIVE_INFINITY }: StepOptions): number {
    return Math.min(concurrency, this.#settings.most ?? concurrency)
  }

  #dispatch(id: string, call: Call, view: Reader): unknown {
    const { executor, runId, Tool } = this.#settings
    const policy = callPolicy(view, { effects: Tool.get(call._tool)?.effects })
    return executor.dispatch(call, `${runId}:${id}`, policy)
  }
}

/** Options of Calls that run in this process. */
type OptionsOfCalls = Omit<RunOptions, 'context' | 'id' | 'signal'>

/**
 * Checks Calls without running any. The result must be recorded: it depends on `enabled` and `before`, which may return
 * something else the next time.
 *
 * @param run Options of the Calls: their principal and hooks.
 * @returns The error of the first Call that cannot run; null if all can.
 */
export async function checkCalls(
  Tool: Pick<ActivityTools, 'run'>,
  calls: readonly Call[],
  context: readonly Message[],
  run: OptionsOfCalls = {},
): Promise<RecordedError | null> {
  for (const call of calls) {
    let isValid = false
    const confirm = (): never => {
      isValid = true
      throw new ActivityError('aborted', 'It was only checked.')
    }
    const { error } = await Tool.run(call, { ...run, context, confirm, elsewhere: true })
    if (!isValid && error) return recordError(error, recordOutcome)
  }
  return null
}

/** Creates the function that performs Calls in this process. */
export function stepPerformer(Tool: ActivityTools, options: OptionsOfCalls, signal: AbortSignal): Perform {
  return (call, key, policy) =>
    Tool.run(call, {
      variantKey: runOf(key),
      ...options,
      context: contextOf(policy),
      id: key,
      ...(!policy.endsByItself && { signal }),
    }) as Promise<PerformedOutcome>
}
