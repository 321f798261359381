import type { Call } from '../../context/message.ts'
import type { ActivityError, CallsheetError, OutputError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { lazily } from '../../lazily.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { acceptSilently } from '../accept/accept-call.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { asInternalError } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { copyContext } from '../contextual/provision.ts'
import { type CallLimits, callLimits } from '../controls/call-limits.ts'
import { type Cancellable, Cancellation, doNothing } from '../controls/cancellation.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import { ownOutcome } from '../own-outcome.ts'
import type { GroupOptions, RunOptions } from '../run-options.ts'
import { askModel } from './ask-model.ts'
import { Attempt, type AttemptedCall } from './attempt.ts'
import { type Conclusion, conclude } from './conclude.ts'
import type { Implementation } from './implementation.ts'
import { makeOutcome, type Writable } from './make-outcome.ts'
import { prepareAgain } from './prepare-again.ts'
import { asAttemptError, asCutError, asOutputError } from './run-errors.ts'
import { shadowRun } from './shadow-run.ts'
import { writeAlternativeOf } from './write-alternative.ts'

/** Loaded lazily: most Calls need no confirmation. */
const confirming = lazily(() => import('../controls/confirm-call.ts'))
/** Loaded lazily: most Calls have no retries. */
const retrying = lazily(() => import('../controls/retry.ts'))

/**
 * Maps an Outcome to the result for the caller. Receives the run as an argument: a closure for each Call would cost
 * more.
 */
export type Finish<Result> = (outcome: Outcome, run: CallRun) => Result

/** One Call while it runs. */
export class RunningCall<Result> implements AttemptedCall, Cancellable {
  readonly run: CallRun
  readonly #group: CallGroup | undefined
  readonly #limits: CallLimits | undefined
  readonly #finish: Finish<Result>
  #isOver = false
  #accepted: AcceptedCall
  #attempts = 0
  /** The error of the last attempt, if its result could not be used. */
  #unusable: OutputError | undefined
  #usage: TokenUsage | undefined
  /** The implementation that runs in parallel for comparison. */
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

  spend(tokens: Partial<TokenUsage>): void {
    this.#usage = addUsage(this.#usage ?? noUsage, tokens)
  }

  /**
   * True if the Call may have waited since it was checked: for `confirm`, or in a group for its turn or for the hooks
   * of others.
   */
  get #hasWaited(): boolean {
    const { confirm, before, concurrency } = this.run.options as GroupOptions
    return confirm !== undefined || (this.#group !== undefined && (before ?? concurrency) !== undefined)
  }

  /** Safe cast: a Call is only performed after it was prepared. */
  get #prepared(): PreparedCall {
    return this.#accepted.prepared as PreparedCall
  }

  /** The attempts that a caller made in other runs. */
  get #earlierAttempts(): number {
    return (this.run.options.attempt ?? 1) - 1
  }

  /** Undefined if nothing can cancel the Call. */
  get #cancellation(): Cancellation | undefined {
    return this.#limits?.cancellation
  }

  /** Runs the Call to its Outcome and resolves with the result of `finish`. */
  runToResult(): Promise<Result> {
    const cancellation = this.#cancellation
    if (!cancellation) return this.#begin()
    return new Promise((resolve, reject) => {
      cancellation.add({ cancel: (reason) => this.#stop(reason).then(resolve, reject) })
      this.#begin().then(resolve, reject)
    })
  }

  /** Runs the Call without returning its result: `finish` passes that on. */
  start(onDefect: (thrown: unknown) => void): void {
    this.#cancellation?.add(this)
    this.#begin().catch(onDefect)
  }

  /** Cancels a Call that was started with `start`. */
  cancel(reason: ActivityError): void {
    void this.#stop(reason)
  }

  /**
   * Ends the run at once, even if its Activity ignores the signal (CALL-7). Waits for one microtask, so that everything
   * else that listens to the cancellation is notified before `#settle` removes the listeners.
   */
  #stop(reason: ActivityError): Promise<Result> {
    return Promise.resolve(reason).then((error) => this.#settle(error))
  }

  /** Confirms the Call if it has to be, then makes attempts until one succeeds or no other may follow. */
  #begin(): Promise<Result> {
    const { confirm } = this.run.options
    if (!confirm || this.#group?.isApproved) return this.#attempt()
    return this.#confirm(confirm).then(
      () => this.#attempt(),
      (thrown: unknown) => this.#fail(thrown),
    )
  }

  /** Makes one attempt. Uses `.then`, since an async function would keep its variables alive while it waits. */
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
      this.#throwIfCancelled()
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

  /**
   * Ends the run. If it has ended already, the late result of an Activity that ignored its signal is dropped on
   * purpose.
   */
  #settle(ending: Conclusion | CallsheetError): Result | Promise<never> {
    if (this.#isOver) return new Promise(doNothing)
    this.#isOver = true
    return this.#finish(this.#outcomeOf(ending), this.run)
  }

  /** Starts an attempt, unless the Call cannot run or was cancelled while it waited. */
  #perform(): unknown {
    this.#throwIfCancelled()
    if (!this.#accepted.prepared) throw this.#accepted.error
    if (this.#attempts === 0) {
      if (this.#hasWaited)
        this.#accepted = { ...this.#accepted, prepared: prepareAgain(this.run, this.#prepared) }
      this.#group?.require?.(this.#prepared)
      const { shadow } = this.#prepared
      if (shadow) this.#shadow = this.#runShadow(shadow)
    }
    const prepared = this.#prepared
    this.#attempts++
    const { implementation } = prepared
    return implementation.mode === 'latent'
      ? this.#answer(prepared)
      : this.#callActivity(prepared, implementation)
  }

  #throwIfCancelled(): void {
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

  /** Waits until another attempt may begin. @returns The error of the Call if no attempt may follow. */
  async #afterFailure(thrown: unknown): Promise<CallsheetError | undefined> {
    const { prepared } = this.#accepted
    const { state, options } = this.run
    const { retry } = options
    const attempt = this.#attempts
    try {
      // Thrown before anything ran: it is the error of the Call, and nothing to retry.
      if (!prepared || attempt === 0) throw thrown
      const error = this.#errorOf(prepared, thrown)
      if (!retry) return error
      const { backOff, forAnotherAttempt, mayRetry } = await retrying()
      if (!mayRetry(retry, prepared, prepared.implementation, error, attempt)) return error
      const told = attempt + this.#earlierAttempts
      state.events.emit('activity:retry', { id: this.run.id, tool: this.tool, attempt: told, error })
      await backOff(retry, attempt, this.#cancellation)
      const again = forAnotherAttempt(this.run, prepared)
      if (!again) return error
      this.#accepted = { ...this.#accepted, prepared: again }
      return undefined
    } catch (final) {
      return asInternalError(final, 'ran the Call')
    }
  }

  #outcomeOf(ending: Conclusion | CallsheetError): Outcome {
    this.#limits?.release()
    const outcome = 'appended' in ending ? this.#concluded(ending) : this.#failed(ending)
    if (this.#usage) outcome.usage = this.#usage
    if (this.#shadow) {
      // Copied now: the caller may change the Outcome before the shadow has ended.
      const primary = ownOutcome(outcome)
      void this.#shadow.then((shadow) =>
        this.run.state.events.emit('activity:compare', { primary, shadow: ownOutcome(shadow) }),
      )
    }
    return outcome
  }

  /** Returns the error of an attempt: it was cancelled, its result cannot be used, or the implementation threw. */
  #errorOf(prepared: PreparedCall, thrown: unknown): CallsheetError {
    const reason = this.#cancellation?.reason
    if (reason) return reason
    if (this.#unusable && thrown === this.#unusable) return this.#unusable
    return asAttemptError(prepared, prepared.implementation, thrown)
  }

  #callActivity(prepared: PreparedCall, implementation: Implementation & { mode: 'explicit' }): unknown {
    const { entry } = prepared
    const { call, context } = this.#inputOf(prepared)
    const about = new Attempt(this, this.#attempts + this.#earlierAttempts, this.#limits)
    return implementation.run(call, entry.schema, context, about)
  }

  /** The Call and context for one attempt: copies if there may be several, so that one cannot affect the next. */
  #inputOf({ resolved, context }: PreparedCall): { call: Call; context: ActivityContext } {
    if (!this.run.options.retry) return { call: resolved, context }
    return { call: copyJson(resolved), context: copyContext(context) }
  }

  /** Answers a latent Call: with its own `_output`, or by asking the model (CALL-2). */
  #answer(prepared: PreparedCall): unknown {
    const { predicted, delegate } = prepared
    // The caller's model predicted this; a delegate has to answer itself, in its clean context.
    if (predicted && !delegate) return predicted.output
    const { id } = this.run
    const { signal } = this.#limits ?? new Cancellation()
    const spend = (tokens: Partial<TokenUsage>): void => this.spend(tokens)
    const asked = { ...this.#inputOf(prepared), id, signal, spend }
    return askModel(this.run, prepared, asked)
  }

  /** Runs the hook `confirm`. If it replaces the Call, the new one is accepted and checked as well (REQ-9). */
  async #confirm(confirm: NonNullable<RunOptions['confirm']>): Promise<void> {
    this.#throwIfCancelled()
    const { prepared } = this.#accepted
    if (!prepared) return
    const { askToConfirm } = await confirming()
    const instead = await askToConfirm(prepared, this.run, confirm)
    this.#throwIfCancelled()
    if (instead) this.#accepted = await acceptSilently(this.run, instead.replace)
  }

  /** Runs the other implementation, started before the Call's own. Its failure does not affect the Call. */
  async #runShadow(other: Implementation): Promise<Outcome> {
    const { accepted, group } = shadowRun(this.#accepted, this.#prepared, other, this.#group)
    const writesNothing = (outcome: Outcome): Outcome => ({ ...outcome, appended: [] })
    return new RunningCall(accepted, group, writesNothing).runToResult()
  }

  #concluded(conclusion: Conclusion): Writable<Outcome> {
    const { invalid: error, appended } = conclusion
    const attempts = this.#attempts
    const outcome = makeOutcome(this.#accepted, { status: 'succeeded', attempts, error, appended })
    if ('output' in conclusion) outcome.output = conclusion.output
    if (conclusion.message) outcome.message = conclusion.message
    return outcome
  }

  /**
   * Makes the Outcome of a failure. If an attempt was made, it also writes the last alternative of `_outputPath`
   * (OUT-6).
   */
  #failed(ending: CallsheetError): Writable<Outcome> {
    const { prepared } = this.#accepted
    const isCut = prepared && this.#attempts > 0 && ending === this.#cancellation?.reason
    const error = isCut ? asCutError(prepared, ending) : ending
    const outcome = makeOutcome(this.#accepted, { attempts: this.#attempts, error, appended: [] })
    if (!prepared?.path || this.#attempts === 0 || outcome.status !== 'failed' || this.#group) return outcome
    outcome.appended = writeAlternativeOf(prepared, error)
    return outcome
  }
}
