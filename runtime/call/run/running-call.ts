import type { Call } from '../../context/message.ts'
import type { ActivityError, CallsheetError, OutputError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { lazily } from '../../lazily.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { acceptInPlace } from '../accept/accept-call.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { asInternal } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { copyContext } from '../contextual/provision.ts'
import { type CallLimits, callLimits } from '../controls/call-limits.ts'
import { type Cancellable, Cancellation, doNothing } from '../controls/cancellation.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import { ownOutcome } from '../own-outcome.ts'
import type { RunOptions } from '../run-options.ts'
import { askModel } from './ask-model.ts'
import { Attempt, type AttemptedCall } from './attempt.ts'
import { type Conclusion, conclude } from './conclude.ts'
import type { Implementation } from './implementation.ts'
import { makeOutcome, type Writable } from './make-outcome.ts'
import { asAttemptError, asOutputError } from './run-errors.ts'
import { shadowRun } from './shadow-run.ts'
import { writeAlternativeOf } from './write-alternative.ts'

/** Most Calls are not asked about. */
const confirming = lazily(() => import('../controls/confirm-call.ts'))
/** Most Calls are tried once. */
const retrying = lazily(() => import('../controls/retry.ts'))

/** Makes of an Outcome what its caller wants. Handed what it needs, since a closure for each Call would cost more than it does. */
export type Finish<Result> = (outcome: Outcome, run: CallRun) => Result

/** One Call on its way to its Outcome. */
export class RunningCall<Result> implements AttemptedCall, Cancellable {
  readonly run: CallRun
  readonly #group: CallGroup | undefined
  readonly #limits: CallLimits | undefined
  readonly #finish: Finish<Result>
  #isOver = false
  #accepted: AcceptedCall
  #attempts = 0
  /** Why the result of an attempt cannot be used. */
  #unusable: OutputError | undefined
  #usage: TokenUsage | undefined
  /** What runs beside it for comparison. */
  #shadow: Promise<Outcome> | undefined

  constructor(accepted: AcceptedCall, group: CallGroup | undefined, finish: Finish<Result>) {
    this.#accepted = accepted
    this.run = accepted.run
    this.#group = group
    this.#finish = finish
    this.#limits = callLimits(this.run.options, group?.cancellation, accepted.waited)
  }

  get tool(): string {
    return this.#prepared.entry.facts.name
  }

  spend(told: Partial<TokenUsage>): void {
    this.#usage = addUsage(this.#usage ?? noUsage, told)
  }

  /** What has been performed was prepared. */
  get #prepared(): PreparedCall {
    return this.#accepted.prepared as PreparedCall
  }

  /** Set where something can cancel the Call. */
  get #cancellation(): Cancellation | undefined {
    return this.#limits?.cancellation
  }

  /** Runs to the Outcome, and resolves with what is made of it. */
  end(): Promise<Result> {
    const cancellation = this.#cancellation
    if (!cancellation) return this.#begin()
    return new Promise((resolve, reject) => {
      cancellation.tell({ cancel: (reason) => this.#stop(reason).then(resolve, reject) })
      this.#begin().then(resolve, reject)
    })
  }

  /** As `end`, where `finish` hands on what it makes of the Outcome. */
  start(onDefect: (thrown: unknown) => void): void {
    this.#cancellation?.tell(this)
    this.#begin().catch(onDefect)
  }

  /** Ends a run that was started. */
  cancel(reason: ActivityError): void {
    void this.#stop(reason)
  }

  /**
   * Ends the run at once, even when its Activity does not listen to its signal (CALL-7). Those who do hear of it first, since the
   * end takes their listeners off.
   */
  #stop(reason: ActivityError): Promise<Result> {
    return Promise.resolve(reason).then((error) => this.#settle(error))
  }

  /** Asks whoever is to be asked, and makes attempts, until one succeeds or there is to be no other. */
  #begin(): Promise<Result> {
    const { confirm } = this.run.options
    if (!confirm || this.#group?.isApproved) return this.#attempt()
    return this.#confirm(confirm).then(
      () => this.#attempt(),
      (thrown: unknown) => this.#fail(thrown),
    )
  }

  /** By `then`, since an asynchronous function keeps its variables as well while it waits. */
  #attempt(): Promise<Result> {
    try {
      return Promise.resolve(this.#perform()).then(
        (result) => this.#succeed(result),
        (thrown: unknown) => this.#fail(thrown),
      )
    } catch (thrown) {
      return this.#fail(thrown)
    }
  }

  #succeed(result: unknown): Result | Promise<Result> {
    let conclusion: Conclusion
    try {
      this.#requireGoing()
      conclusion = this.#conclude(result)
    } catch (thrown) {
      return this.#fail(thrown)
    }
    return this.#settle(conclusion)
  }

  async #fail(thrown: unknown): Promise<Result> {
    const error = await this.#afterFailure(thrown)
    return error ? this.#settle(error) : this.#attempt()
  }

  /** Ends the run. What an Activity that did not listen comes to afterwards is dropped on purpose. */
  #settle(ending: Conclusion | CallsheetError): Result | Promise<never> {
    if (this.#isOver) return new Promise(doNothing)
    this.#isOver = true
    return this.#finish(this.#outcomeOf(ending), this.run)
  }

  /** Starts an attempt, unless the Call cannot run, or what cancels it came while it waited. */
  #perform(): unknown {
    this.#requireGoing()
    const { prepared, error } = this.#accepted
    if (!prepared) throw error
    if (this.#attempts === 0) {
      this.#group?.require?.(prepared)
      if (prepared.shadow) this.#shadow = this.#runShadow(prepared, prepared.shadow)
    }
    this.#attempts++
    const { implementation } = prepared
    return implementation.mode === 'latent'
      ? this.#answer(prepared)
      : this.#callActivity(prepared, implementation)
  }

  /** @throws what has cancelled the Call. */
  #requireGoing(): void {
    if (this.#cancellation?.reason) throw this.#cancellation.reason
  }

  #conclude(result: unknown): Conclusion {
    const prepared = this.#prepared
    try {
      return conclude(prepared, result, this.run.options)
    } catch (thrown) {
      this.#unusable = asOutputError(prepared, prepared.implementation, thrown)
      throw this.#unusable
    }
  }

  /** Waits until another attempt may begin. @returns why the Call has failed, where there is to be none. */
  async #afterFailure(thrown: unknown): Promise<CallsheetError | undefined> {
    const { prepared } = this.#accepted
    const { state, options } = this.run
    const { retry } = options
    const attempt = this.#attempts
    try {
      // What was thrown before anything ran is the error of the Call.
      if (!prepared || attempt === 0) throw thrown
      const error = this.#errorOf(prepared, thrown)
      if (!retry) return error
      const { backOff, mayRetry } = await retrying()
      if (!mayRetry(retry, prepared, prepared.implementation, error, attempt)) return error
      state.events.emit('activity:retry', { id: this.run.id, tool: this.tool, attempt, error })
      await backOff(retry, attempt, this.#cancellation)
      return undefined
    } catch (final) {
      return asInternal(final, 'ran the Call')
    }
  }

  #outcomeOf(ending: Conclusion | CallsheetError): Outcome {
    this.#limits?.release()
    const outcome = 'appended' in ending ? this.#concluded(ending) : this.#failed(ending)
    if (this.#usage) outcome.usage = this.#usage
    if (this.#shadow) {
      // Now: whoever gets the Outcome may change it before the shadow has ended.
      const primary = ownOutcome(outcome)
      void this.#shadow.then((shadow) =>
        this.run.state.events.emit('activity:compare', { primary, shadow: ownOutcome(shadow) }),
      )
    }
    return outcome
  }

  /** The error of an attempt: it was cancelled, what came back cannot be used, or what runs the Call threw. */
  #errorOf(prepared: PreparedCall, thrown: unknown): CallsheetError {
    const reason = this.#cancellation?.reason
    if (reason) return reason
    if (this.#unusable && thrown === this.#unusable) return this.#unusable
    return asAttemptError(prepared, prepared.implementation, thrown)
  }

  #callActivity(prepared: PreparedCall, implementation: Implementation & { mode: 'explicit' }): unknown {
    const { entry } = prepared
    const { call, context } = this.#handedOut(prepared)
    const about = new Attempt(this, this.#attempts, this.#limits)
    return implementation.run(call, entry.schema, context, about)
  }

  /** Where there can be more than one attempt, each gets copies: what one does to them does not reach the next. */
  #handedOut({ resolved, context }: PreparedCall): { call: Call; context: ActivityContext } {
    if (!this.run.options.retry) return { call: resolved, context }
    return { call: copyJson(resolved), context: copyContext(context) }
  }

  /** The Call's own `_output`, or what the model says when asked (CALL-2). */
  #answer(prepared: PreparedCall): unknown {
    const { predicted, delegate } = prepared
    // What the caller's model imagined is not the word of a clean room.
    if (predicted && !delegate) return predicted.output
    const { id } = this.run
    const { signal } = this.#limits ?? new Cancellation()
    const spend = (told: Partial<TokenUsage>): void => this.spend(told)
    const asked = { ...this.#handedOut(prepared), id, signal, spend }
    return askModel(this.run, prepared, asked)
  }

  /** Asks before the Call runs; a Call that takes its place passes every check of its own (REQ-9). */
  async #confirm(confirm: NonNullable<RunOptions['confirm']>): Promise<void> {
    this.#requireGoing()
    const { prepared } = this.#accepted
    if (!prepared) return
    const { askToConfirm } = await confirming()
    const instead = await askToConfirm(prepared, this.run.id, confirm)
    this.#requireGoing()
    if (instead) this.#accepted = await acceptInPlace(this.run, instead.replace)
  }

  /** Runs the other implementation, before the Call's own begins; its failure is data, never the Call's. */
  async #runShadow(prepared: PreparedCall, other: Implementation): Promise<Outcome> {
    const { accepted, group } = shadowRun(this.#accepted, prepared, other, this.#group)
    const writesNothing = (outcome: Outcome): Outcome => ({ ...outcome, appended: [] })
    return new RunningCall(accepted, group, writesNothing).end()
  }

  #concluded(conclusion: Conclusion): Writable<Outcome> {
    const { invalid: error, appended } = conclusion
    const attempts = this.#attempts
    const outcome = makeOutcome(this.#accepted, { status: 'succeeded', attempts, error, appended })
    if ('output' in conclusion) outcome.output = conclusion.output
    if (conclusion.message) outcome.message = conclusion.message
    return outcome
  }

  /** What went wrong while the Activity ran is written to the last alternative, where there is one (OUT-6). */
  #failed(error: CallsheetError): Writable<Outcome> {
    const { prepared } = this.#accepted
    const outcome = makeOutcome(this.#accepted, { attempts: this.#attempts, error, appended: [] })
    if (!prepared?.path || this.#attempts === 0 || outcome.status !== 'failed' || this.#group) return outcome
    outcome.appended = writeAlternativeOf(prepared, error)
    return outcome
  }
}
