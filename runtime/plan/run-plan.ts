import { acceptCall } from '../call/accept/accept-call.ts'
import { CallRun } from '../call/call-run.ts'
import type { Outcome } from '../call/outcome.ts'
import { ownOutcome } from '../call/own-outcome.ts'
import type { RegistryState } from '../call/registry-state.ts'
import { identity, runAccepted } from '../call/run/run-call.ts'
import type { GroupOptions } from '../call/run-options.ts'
import { asUnreadableError } from '../call/unreadable.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call, GivenCall, Message } from '../context/message.ts'
import { messagesOf } from '../context/messages-of.ts'
import type { Reader } from '../context/reader.ts'
import { requireMessage } from '../context/well-formed-message.ts'
import { isJsonObject } from '../json/json.ts'
import { tellListener } from '../problems/tell-listener.ts'
import type { ToolFacts } from '../schema/tool-facts.ts'
import { checkPlan } from './check-plan.ts'
import type { PlanFacts } from './plan.ts'
import { isUnblocked, missingReads } from './plan-graph.ts'
import { type PlanReading, planReadingOf } from './plan-reading.ts'
import { PlanViews } from './plan-views.ts'
import { plannedCalls } from './planned-calls.ts'
import type { IsParameter } from './reads.ts'
import { ReadyQueue } from './ready-queue.ts'

/** What `Tool.plan` takes: the result of `plan([...])`, or a list of Calls. */
export type RunnablePlan = Pick<PlanFacts, 'calls'> | readonly GivenCall[]

/** A Call that did not run, because nothing wrote the values that it reads. */
export interface BlockedCall {
  /** Its index in the plan. */
  readonly place: number
  readonly call: Call
  /** Its References that have no value. */
  readonly missing: readonly string[]
}

/** The result of running a plan. */
export interface PlanResult {
  /** One for each Call, in the order of the plan; undefined for a blocked Call. */
  readonly outcomes: readonly (Outcome | undefined)[]
  /** In the order of the plan. */
  readonly blocked: readonly BlockedCall[]
  /** The context before the plan, followed by the Messages of its Calls in the order of the plan. */
  readonly context: readonly Message[]
}

/**
 * Runs a plan without a model (CALL-11): a Call runs as soon as the Calls that it waits for have written what it reads.
 * A Call that fails blocks those that read what it would have written, and no others.
 *
 * What a Call sees depends only on the context and on the Calls that it waits for, never on which Call happens to end
 * first.
 *
 * @param end Appends the Messages of an Outcome, emits `call:end`, and returns the Outcome, which fails if the context
 * refuses the Messages. Called in the order of the plan: after every earlier Call has ended or was blocked.
 * @throws CallsheetError `plan_cycle`, `unresolved_reference`, `invalid_path`, `invalid_call` or `invalid_message`,
 * before anything runs.
 */
export async function runPlan(
  state: RegistryState,
  given: RunnablePlan,
  options: GroupOptions,
  end: EndCall,
): Promise<PlanResult> {
  try {
    return await carryOut(state, given, options, end)
  } catch (thrown) {
    throw asUnreadableError(
      thrown,
      'plan',
      () => plannedCalls(given, 'Tool.plan'),
      options.context,
      'carried out the plan',
    )
  }
}

async function carryOut(
  state: RegistryState,
  given: RunnablePlan,
  options: GroupOptions,
  end: EndCall,
): Promise<PlanResult> {
  const base: readonly Message[] = [...messagesOf(options.context)]
  // Checked before anything runs: reading a malformed Message later would end the plan while Calls run.
  for (const [index, message] of base.entries()) {
    if (!isJsonObject(message)) requireMessage(message, `Message ${index} of the context`)
  }
  const { isReadable, complete } = planReadingIn(state, options, base)
  const calls = plannedCalls(given, 'Tool.plan').map(complete)
  const { waitsFor } = checkPlan(calls, { context: base, isWhole: true }, isReadable)
  const run = new PlanRun(state, options, { calls, base, waitsFor, isReadable }, end)
  const { outcomes, blocked } = await run.runToEnd()
  const added = outcomes.flatMap((outcome) => outcome?.appended ?? [])
  return { outcomes, blocked, context: [...base, ...added] }
}

type EndCall = (outcome: Outcome) => Outcome

/** A plan that has passed `checkPlan`. */
interface CheckedPlan {
  readonly calls: readonly Call[]
  /** The context before the plan. */
  readonly base: readonly Message[]
  /** For each Call, the places of the Calls that it waits for. */
  readonly waitsFor: readonly (readonly number[])[]
  readonly isReadable: IsParameter
}

/** A Call that can run. */
interface ReadyCall {
  readonly place: number
  /** The context that it sees. */
  readonly view: Reader
}

class PlanRun {
  readonly #state: RegistryState
  readonly #options: GroupOptions
  readonly #calls: readonly Call[]
  readonly #isReadable: IsParameter
  readonly #views: PlanViews
  readonly #queue: ReadyQueue
  readonly #outcomes: (Outcome | undefined)[]
  readonly #blocked: BlockedCall[] = []
  readonly #end: EndCall
  /** For each Call, whether it has ended or was blocked. */
  readonly #isOver: boolean[]
  /** How many Calls, from the start of the plan, were passed to `#end` or skipped as blocked. */
  #ended = 0
  #running = 0

  constructor(state: RegistryState, options: GroupOptions, plan: CheckedPlan, end: EndCall) {
    const { calls, base, waitsFor, isReadable } = plan
    this.#state = state
    this.#options = options
    this.#calls = calls
    this.#isReadable = isReadable
    this.#views = new PlanViews(base, calls, waitsFor)
    this.#queue = new ReadyQueue(waitsFor)
    this.#outcomes = calls.map(() => undefined)
    this.#isOver = calls.map(() => false)
    this.#end = end
  }

  /**
   * Runs all Calls. An unexpected exception stops the plan; it is thrown after the Calls that were running have ended.
   */
  runToEnd(): Promise<Pick<PlanResult, 'outcomes' | 'blocked'>> {
    return new Promise((resolve, reject) => {
      let failure: { readonly thrown: unknown } | undefined
      const fail = (thrown: unknown): void => {
        failure ??= { thrown }
      }
      const startReady = (): void => {
        for (let ready = this.#nextReady(); ready; ready = this.#nextReady()) start(ready)
      }
      const start = ({ place, view }: ReadyCall): void => {
        this.#running++
        this.#run(place, view)
          .then((outcome) => this.#settle(place, outcome))
          .catch(fail)
          .finally(() => {
            this.#running--
            proceed()
          })
      }
      /** Starts what is ready, and settles the promise when nothing runs any more. */
      const proceed = (): void => {
        try {
          if (!failure) startReady()
        } catch (thrown) {
          fail(thrown)
        }
        if (this.#running > 0) return
        this.#isOver.fill(true)
        this.#endInOrder()
        this.#blocked.sort((left, right) => left.place - right.place)
        if (failure) reject(failure.thrown)
        else resolve({ outcomes: this.#outcomes, blocked: this.#blocked })
      }
      proceed()
    })
  }

  /**
   * Returns the next Call that can run, within the concurrency limit. Blocks Calls whose References will never have a
   * value.
   */
  #nextReady(): ReadyCall | undefined {
    const { concurrency = Number.POSITIVE_INFINITY } = this.#options
    while (this.#running < concurrency) {
      const place = this.#queue.next()
      if (place === undefined) return undefined
      const call = this.#calls[place] as Call
      const view = this.#views.of(place)
      if (isUnblocked(call, view, this.#isReadable)) return { place, view }
      this.#blocked.push({ place, call, missing: missingReads(call, view, this.#isReadable) })
      this.#views.block(place)
      this.#queue.settle(place)
      this.#isOver[place] = true
      this.#endInOrder()
    }
    return undefined
  }

  async #run(place: number, view: Reader): Promise<Outcome> {
    const { concurrency, onOutcome, ...options } = this.#options
    // The one cast: a view is read like a Context and never appended to.
    const inView = { ...options, context: view as unknown as ContextLike }
    const run = new CallRun(this.#state, inView)
    return runAccepted(await acceptCall(run, this.#calls[place] as Call), identity)
  }

  #settle(place: number, outcome: Outcome): void {
    this.#outcomes[place] = outcome
    this.#views.settle(place, outcome.appended)
    this.#queue.settle(place)
    const { onOutcome } = this.#options
    if (onOutcome) tellListener('onOutcome', onOutcome, ownOutcome(outcome), place)
    this.#isOver[place] = true
    this.#endInOrder()
  }

  /** Passes Outcomes to `#end` in the order of the plan, up to the first Call that is not over. */
  #endInOrder(): void {
    for (; this.#isOver[this.#ended]; this.#ended++) {
      const outcome = this.#outcomes[this.#ended]
      if (outcome) this.#outcomes[this.#ended] = this.#end(outcome)
    }
  }
}

/** Creates the PlanReading of a registry's Tools and those of the context. */
function planReadingIn(
  { tools, surface }: RegistryState,
  { references }: GroupOptions,
  base: readonly Message[],
): PlanReading {
  let inContext: Map<string, ToolFacts> | undefined
  return planReadingOf((name) => {
    const entry = tools.get(name)
    if (entry) return entry.facts
    inContext ??= new Map(surface.contextTools(base).map(({ facts }) => [facts.name, facts]))
    return inContext.get(name)
  }, references)
}
