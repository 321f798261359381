import { acceptCall } from '../call/accept/accept-call.ts'
import type { Outcome } from '../call/outcome.ts'
import { ownOutcome } from '../call/own-outcome.ts'
import type { RegistryState } from '../call/registry-state.ts'
import { asItIs, runAccepted } from '../call/run/run-call.ts'
import type { GroupOptions } from '../call/run-options.ts'
import { asUnreadable } from '../call/unreadable.ts'
import type { BuiltCall } from '../context/built-call.ts'
import type { ContextLike } from '../context/context.ts'
import type { Call, Message } from '../context/message.ts'
import { messagesOf } from '../context/messages-of.ts'
import type { Reader } from '../context/reader.ts'
import { requireMessage } from '../context/well-formed-message.ts'
import { isJsonObject } from '../json/json.ts'
import { tellListener } from '../problems/tell-listener.ts'
import { checkPlan } from './check-plan.ts'
import type { PlanFacts } from './plan.ts'
import { isUnblocked, missingReads } from './plan-graph.ts'
import { PlanViews } from './plan-views.ts'
import { plannedCalls } from './planned-calls.ts'
import { readableByFacts } from './readable-parameters.ts'
import type { IsParameter } from './reads.ts'
import { ReadyQueue } from './ready-queue.ts'

/** What `Tool.plan` takes: what `plan([...])` made, or Calls as they are. */
export type RunnablePlan = Pick<PlanFacts, 'calls'> | readonly (Call | BuiltCall<unknown>)[]

/** A Call that did not run, because what it reads never came to be there. */
export interface BlockedCall {
  /** Its place in the plan. */
  readonly place: number
  readonly call: Call
  /** Its References that are not present. */
  readonly missing: readonly string[]
}

/** What became of a plan. */
export interface PlanResult {
  /** For each Call of the plan, in its order; undefined for one that stayed blocked. */
  readonly outcomes: readonly (Outcome | undefined)[]
  /** In the order of the plan. */
  readonly blocked: readonly BlockedCall[]
  /** The context before the plan, and what its Calls added, in the order of the plan. */
  readonly context: readonly Message[]
}

/**
 * Carries out a plan without a model (CALL-11): Calls that wait for what others write run when it is there, the others
 * at once. A Call that fails blocks those that read what it would have written, and no others.
 *
 * What a Call sees does not hang on which Call happens to end first: only on the context, and on the Calls it waits for.
 *
 * @param report Told of each Outcome as it is over.
 * @throws CallsheetError `plan_cycle`, `unresolved_reference`, `invalid_path`, `invalid_call` or `invalid_message`, before
 * anything runs.
 */
export async function runPlan(
  state: RegistryState,
  given: RunnablePlan,
  options: GroupOptions,
  report: (outcome: Outcome) => void,
): Promise<PlanResult> {
  try {
    return await carryOut(state, given, options, report)
  } catch (thrown) {
    throw asUnreadable(
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
  report: (outcome: Outcome) => void,
): Promise<PlanResult> {
  const calls = plannedCalls(given, 'Tool.plan')
  const { context, concurrency = Number.POSITIVE_INFINITY, onOutcome, ...each } = options
  const base: readonly Message[] = [...messagesOf(context)]
  // Before anything runs: a Call that looks for its References there would end the plan while others run.
  for (const [index, message] of base.entries()) {
    if (!isJsonObject(message)) requireMessage(message, `Message ${index} of the context`)
  }
  const isReadable = readableBy(state, options)
  const { waitsFor } = checkPlan(calls, { context: base, isWhole: true }, isReadable)
  const views = new PlanViews(base, calls, waitsFor)
  const queue = new ReadyQueue(waitsFor)
  const outcomes: (Outcome | undefined)[] = calls.map(() => undefined)
  const blocked: BlockedCall[] = []

  await new Promise<void>((resolve, reject) => {
    let running = 0
    function startReady(): void {
      while (running < concurrency) {
        const place = queue.next()
        if (place === undefined) break
        const call = calls[place] as Call
        const view = views.of(place)
        if (isUnblocked(call, view, isReadable)) {
          running++
          runIn(view, call)
            .then((outcome) => settle(place, outcome))
            .catch(reject)
        } else {
          blocked.push({ place, call, missing: missingReads(call, view, isReadable) })
          views.block(place)
          queue.settle(place)
        }
      }
      if (running === 0) resolve()
    }
    function settle(place: number, outcome: Outcome): void {
      running--
      outcomes[place] = outcome
      views.settle(place, outcome.appended)
      queue.settle(place)
      report(outcome)
      if (onOutcome) tellListener('onOutcome', onOutcome, ownOutcome(outcome), place)
      startReady()
    }
    startReady()
  })
  const added = outcomes.flatMap((outcome) => outcome?.appended ?? [])
  blocked.sort((left, right) => left.place - right.place)
  return { outcomes, blocked, context: [...base, ...added] }

  async function runIn(view: Reader, call: Call): Promise<Outcome> {
    // The one cast: a view is read like a Context, and never appended to.
    const inView = { ...each, context: view as unknown as ContextLike }
    return runAccepted(state, await acceptCall(state, call, inView), inView, asItIs)
  }
}

/** Which properties of a Call may hold References: its Tool's parameters, unless the run reads none at all. */
function readableBy({ tools }: RegistryState, { references }: GroupOptions): IsParameter {
  if (references === false) return () => false
  return readableByFacts((tool) => tools.get(tool)?.facts)
}
