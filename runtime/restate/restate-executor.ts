import type { DispatchPolicy, Perform, PerformedOutcome } from '../agent/loop/executor.ts'
import { unstartedOutcome } from '../agent/loop/unstarted-outcome.ts'
import { asError } from '../call/call-errors.ts'
import type { Call } from '../context/message.ts'
import type { ActivityRequest, ActivityTools } from '../durable/activity-request.ts'
import { restoreWrittenCall } from '../durable/activity-request.ts'
import { engineGaveUp, runCancelled } from '../durable/engine-errors.ts'
import type { SentTool } from '../durable/engine-tools.ts'
import { keepOutcome } from '../durable/keep-outcome.ts'
import { type RecordedOutcome, reviveOutcome } from '../durable/recorded-outcome.ts'
import { sentCall } from '../durable/sent-call.ts'
import type { DurableExecutor } from '../durable/steps.ts'
import { ActivityError, type CallsheetError } from '../errors.ts'
import { isRepeatable } from '../schema/effects.ts'
import {
  anotherCallRan,
  type FingerprintedOutcome,
  isOutcomeOf,
  withoutFingerprint,
} from './call-fingerprint.ts'
import { handlerName } from './handler-name.ts'
import { requireSmallRequest, restateRecord } from './limits.ts'
import {
  jsonSerde,
  type RestateContext,
  type RestateFailure,
  type RestatePromise,
  type RestateSdk,
} from './sdk.ts'
import { UnrecordedWrites } from './unrecorded-writes.ts'

/** The inputs of the executor of one invocation. */
export interface RestateExecutorSettings {
  readonly sdk: RestateSdk
  readonly ctx: RestateContext
  readonly Tool: ActivityTools
  /** The name of the service whose handlers are the Activities. */
  readonly service: string
  /** The Tools whose Calls are sent to that service. */
  readonly sent: ReadonlyMap<string, SentTool>
  /** The Tools whose Activities run in this process. */
  readonly local: ReadonlySet<string>
  /**
   * Counts the writes in this process, in the order of the journal: a Call that waited for its approval is dispatched again under
   * its key.
   */
  readonly nextWrite: () => number
  /** Contract hashes by Tool, for the worker to compare. */
  readonly contracts: ReadonlyMap<string, string>
  /** The recorded start time of the invocation. */
  readonly startedAt: number
  /** Aborted when the invocation is cancelled. */
  readonly cancelled: AbortController
}

/** By registry, and the ids of their Calls: each handling of an invocation has an executor of its own. */
const localWrites = new WeakMap<ActivityTools, UnrecordedWrites>()

function localWritesOf(Tool: ActivityTools): UnrecordedWrites {
  const writes = localWrites.get(Tool) ?? new UnrecordedWrites()
  localWrites.set(Tool, writes)
  return writes
}

/** A dispatched Call. */
interface Step {
  readonly key: string
  readonly call: Call
  readonly policy: DispatchPolicy
  /** Set if it ended without the engine: it could not be sent, or was dispatched after the cancellation. */
  over?: PerformedOutcome
  /** The invocation of the Call, to cancel it. */
  invocation?: Promise<unknown>
  result?: RestatePromise<StepResult>
  /** Called when the engine has recorded a write of this process. */
  forget?: () => void
}

/**
 * The Outcome of a step; with `of` for a Call that a worker ran: the Call as sent, and the recorded Outcome with its
 * fingerprint.
 */
interface StepResult {
  readonly step: Step
  readonly outcome: PerformedOutcome
  readonly of?: { readonly sent: Call; readonly recorded: FingerprintedOutcome } | undefined
}

/**
 * Runs the loop's steps as entries of the invocation's journal (DUR-1): a Call of an Activity as a call of its handler,
 * everything else (Requests to the model, approvals, latent Calls) in this process, recorded. Waits with the SDK's own
 * `race`, never with `Promise.race`, which would make an invocation impossible to replay.
 */
export class RestateExecutor implements DurableExecutor<Step> {
  readonly #settings: RestateExecutorSettings
  readonly #perform: Perform
  /** The latest time in the journal. The engine's own clock cannot be read without waiting. */
  #latest: number

  constructor(settings: RestateExecutorSettings, perform: Perform) {
    this.#settings = settings
    this.#perform = perform
    this.#latest = settings.startedAt
  }

  dispatch(call: Call, key: string, policy: DispatchPolicy): Step {
    const step: Step = { key, call, policy }
    if (this.#settings.cancelled.signal.aborted) step.over = this.#failed(step, runCancelled())
    else if (!this.#goesElsewhere(step)) this.#record(step, policy)
    else if (policy.isAsked) this.#record(step, { ...policy, context: policy.context, asksOnly: true })
    else this.#send(step)
    return step
  }

  async next(pending: readonly Step[]): Promise<{ id: string; outcome: PerformedOutcome }> {
    const { RestatePromise } = this.#settings.sdk
    for (;;) {
      const over = pending.find((step) => step.over)
      if (over?.over) return { id: over.key, outcome: over.over }
      const waiting = pending.flatMap(({ result }) => result ?? [])
      const ended = await this.#unlessCancelled(() => RestatePromise.race(waiting))
      if (!ended) continue
      const { step, of } = ended
      // Another run with this id made a different Call, whose Outcome does not count for this one.
      const isOwn = !of || (await isOutcomeOf(of.sent, of.recorded))
      const outcome = isOwn ? ended.outcome : this.#failed(step, anotherCallRan(step.key))
      this.#latest = Math.max(this.#latest, outcome.endedAt)
      if (!outcome.approved) return { id: step.key, outcome }
      // The answer was given just before the cancellation: the Call has not begun.
      if (this.#settings.cancelled.signal.aborted) {
        return { id: step.key, outcome: this.#failed(step, runCancelled()) }
      }
      this.#send(step, outcome.approved)
    }
  }

  now(): number {
    return this.#latest
  }

  async cancel(pending: readonly Step[]): Promise<void> {
    for (const { invocation } of pending) {
      if (invocation) this.#settings.ctx.cancel(await invocation)
    }
  }

  /** @returns undefined if the invocation was cancelled meanwhile; the caller still waits for the running Calls. */
  async #unlessCancelled<Value>(wait: () => Promise<Value>): Promise<Value | undefined> {
    const { sdk, cancelled } = this.#settings
    try {
      return await wait()
    } catch (thrown) {
      if (!(thrown instanceof sdk.CancelledError) || cancelled.signal.aborted) throw thrown
      cancelled.abort(runCancelled())
      return undefined
    }
  }

  #goesElsewhere({ call, policy }: Step): boolean {
    return policy.kind === 'call' && this.#settings.sent.has(call._tool)
  }

  #isLocalWrite({ call, policy }: Step): boolean {
    const { local } = this.#settings
    return policy.kind === 'call' && local.has(call._tool) && !isRepeatable(policy.effects)
  }

  /** Performs a step in this process, and records its result. Never fails, so the engine never retries it by itself. */
  #record(step: Step, policy: DispatchPolicy): void {
    const { call, key } = step
    const perform = async (how: DispatchPolicy): Promise<RecordedOutcome> =>
      keepOutcome(await this.#perform(call, key, how), restateRecord(this.#settings.ctx))
    const work = this.#isLocalWrite(step) ? this.#writeOnce(step, perform) : () => perform(policy)
    const done = this.#settings.ctx.run(key, work, { serde: jsonSerde<RecordedOutcome>() })
    step.result = done.map((recorded, failure) => {
      step.forget?.()
      return {
        step,
        outcome: recorded ? reviveOutcome(recorded) : this.#failed(step, errorOf(failure, step.policy)),
      }
    })
  }

  #writeOnce(step: Step, perform: (how: DispatchPolicy) => Promise<RecordedOutcome>) {
    const { call, key, policy } = step
    const { Tool, nextWrite } = this.#settings
    const writes = localWritesOf(Tool)
    const place = `${key} ${nextWrite()}`
    step.forget = () => writes.forget(place, call)
    const write = { ...policy, context: policy.context, endsByItself: true }
    return () => writes.run(place, call, () => perform(write))
  }

  #send(step: Step, approved?: PerformedOutcome['approved']): void {
    const { ctx, service, contracts, sent } = this.#settings
    const { call, key, policy } = step
    const tool = sent.get(call._tool)
    let request: ActivityRequest
    try {
      if (!tool) throw new Error(`There is no Tool "${call._tool}".`)
      request = { ...sentCall(call, key, policy, tool, approved), contract: contracts.get(call._tool) }
      requireSmallRequest(request)
    } catch (thrown) {
      step.over = this.#failed(step, asError(thrown, 'The Call could not be sent'))
      return
    }
    const done = ctx.genericCall({
      service,
      method: handlerName(call._tool),
      parameter: request,
      idempotencyKey: key,
      inputSerde: jsonSerde<ActivityRequest>(),
      outputSerde: jsonSerde<FingerprintedOutcome>(),
    })
    step.invocation = done.invocationId
    step.result = done.map((recorded, failure) => ({
      step,
      outcome: recorded
        ? restoreWrittenCall(reviveOutcome(withoutFingerprint(recorded)), request.call, call)
        : this.#failed(step, errorOf(failure, step.policy)),
      of: recorded && { sent: request.call, recorded },
    }))
  }

  #failed({ call, key }: Step, error: CallsheetError): PerformedOutcome {
    return unstartedOutcome(call, key, error, this.#latest)
  }
}

/** Builds the error of a Call that the engine cancelled or gave up on. */
function errorOf(failure: RestateFailure | undefined, policy: DispatchPolicy): ActivityError {
  if (failure?.code === 409) return new ActivityError('aborted', 'The Call was cancelled.')
  return engineGaveUp('Restate', failure?.message ?? 'no reason given', policy)
}
