import type { Call } from '../../context/message.ts'
import type { CallsheetError, OutputError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { lazily } from '../../lazily.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import { addUsage, noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { acceptAs } from '../accept/accept-call.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { asInternal } from '../call-errors.ts'
import { copyContext } from '../contextual/provision.ts'
import { askAfter } from '../controls/ask-after.ts'
import { type CallLimits, callLimits } from '../controls/call-limits.ts'
import { Cancellation } from '../controls/cancellation.ts'
import { orCancelled } from '../controls/wait.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'
import { activeTracer } from '../telemetry/tracer.ts'
import { askModel } from './ask-model.ts'
import { Attempt, type Purse } from './attempt.ts'
import { type Conclusion, conclude } from './conclude.ts'
import type { Implementation } from './implementation.ts'
import { makeOutcome, type Writable } from './make-outcome.ts'
import { asAttemptError, asOutputError } from './run-errors.ts'
import { type CallRun, shadowRun } from './shadow-run.ts'
import { writeAlternativeOf } from './write-alternative.ts'

/** Most processes make no spans. */
const tracing = lazily(() => import('../telemetry/trace-call.ts'))
/** Most Calls are not asked about. */
const confirming = lazily(() => import('../controls/confirm-call.ts'))
/** Most Calls are tried once. */
const retrying = lazily(() => import('../controls/retry.ts'))

/**
 * Runs an accepted Call to its Outcome, and resolves with what `finish` makes of that; rejects only with what `finish`
 * throws. Writes nothing to a context: that is the caller's to decide.
 *
 * @param finish Not a `then`, since one more promise costs as much as everything that is done to an Outcome.
 */
export function runAccepted<Result>(
  state: RegistryState,
  accepted: AcceptedCall,
  options: RunOptions,
  finish: (outcome: Outcome) => Result,
  group?: CallGroup,
): Promise<Result> {
  const run = new Run(state, accepted, options, group)
  const tracer = activeTracer(options.telemetry)
  if (!tracer && !options.after) return run.end(finish)
  const toOutcome = (): Promise<Outcome> => askAfter(run.end(asItIs), options)
  if (!tracer) return toOutcome().then(finish)
  const { captureContent = false } = options.telemetry || {}
  const traced = { events: state.events, tracer, captureContent, call: accepted, run: toOutcome }
  return Promise.resolve(tracing())
    .then(({ traceCall }) => traceCall(traced))
    .then(finish)
}

/** The `finish` of a run whose Outcome is all that is wanted. */
export function asItIs(outcome: Outcome): Outcome {
  return outcome
}

/** One Call on its way to its Outcome. */
class Run implements Purse {
  readonly #state: RegistryState
  readonly #options: RunOptions
  readonly #group: CallGroup | undefined
  readonly #limits: CallLimits | undefined
  #accepted: AcceptedCall
  #attempts = 0
  /** Why the result of an attempt cannot be used. */
  #unusable: OutputError | undefined
  #usage: TokenUsage | undefined

  constructor(
    state: RegistryState,
    accepted: AcceptedCall,
    options: RunOptions,
    group: CallGroup | undefined,
  ) {
    this.#state = state
    this.#accepted = accepted
    this.#options = options
    this.#group = group
    this.#limits = callLimits(options, group?.cancellation)
  }

  spend(told: Partial<TokenUsage>): void {
    this.#usage = addUsage(this.#usage ?? noUsage, told)
  }

  /** Set where something can cancel the Call. */
  get #cancellation(): Cancellation | undefined {
    return this.#limits?.cancellation
  }

  /** Runs to the Outcome, and resolves with what is made of it. */
  async end<Result>(finish: (outcome: Outcome) => Result): Promise<Result> {
    let shadow: Promise<Outcome> | undefined
    let outcome: Writable<Outcome>
    try {
      if (this.#cancellation?.reason) throw this.#cancellation.reason
      const { confirm } = this.#options
      if (confirm) await this.#confirm(confirm)
      const { prepared, error } = this.#accepted
      if (!prepared) throw error
      this.#group?.require?.(prepared)
      shadow = prepared.shadow && this.#runShadow(prepared, prepared.shadow)
      // Attempts until one succeeds, none is left, or another one is not allowed. Here, since an asynchronous function
      // more is a promise more for every Call; and with few variables, since each is kept while it waits.
      let conclusion: Conclusion | undefined
      while (!conclusion) {
        try {
          conclusion = this.#conclude(prepared, await this.#perform(prepared))
        } catch (thrown) {
          await this.#beforeRetry(prepared, this.#errorOf(prepared, thrown))
        }
      }
      outcome = this.#concluded(conclusion)
    } catch (thrown) {
      outcome = this.#failed(asInternal(thrown, 'ran the Call'))
    } finally {
      this.#limits?.release()
    }
    if (this.#usage) outcome.usage = this.#usage
    if (shadow) this.#reportComparison(outcome, shadow)
    return finish(outcome)
  }

  /** Starts an attempt, unless what cancels the Call came while a hook was asked or another attempt decided on. */
  #perform(prepared: PreparedCall): unknown {
    if (this.#cancellation?.reason) throw this.#cancellation.reason
    this.#attempts++
    const { implementation } = prepared
    return implementation.mode === 'latent' ? this.#answer(prepared) : this.#start(prepared, implementation)
  }

  #conclude(prepared: PreparedCall, result: unknown): Conclusion {
    try {
      return conclude(prepared, result, this.#options)
    } catch (thrown) {
      this.#unusable = asOutputError(prepared, prepared.implementation, thrown)
      throw this.#unusable
    }
  }

  /** The error of an attempt: it was cancelled, what came back cannot be used, or what runs the Call threw. */
  #errorOf(prepared: PreparedCall, thrown: unknown): CallsheetError {
    const reason = this.#cancellation?.reason
    if (reason) return reason
    if (this.#unusable && thrown === this.#unusable) return this.#unusable
    return asAttemptError(prepared, prepared.implementation, thrown)
  }

  #start(prepared: PreparedCall, implementation: Implementation & { mode: 'explicit' }): unknown {
    const { entry } = prepared
    const { call, context } = this.#handedOut(prepared)
    const about = new Attempt(
      this.#accepted.id,
      this.#attempts,
      entry.facts.name,
      this.#state.events,
      this,
      this.#limits,
    )
    return this.#orCancelled(implementation.run(call, entry.schema, context, about))
  }

  /** Where there can be more than one attempt, each gets copies: what one does to them does not reach the next. */
  #handedOut({ resolved, context }: PreparedCall): { call: Call; context: ActivityContext } {
    if (!this.#options.retry) return { call: resolved, context }
    return { call: copyJson(resolved), context: copyContext(context) }
  }

  /** The Call's own `_output`, or what the model says when asked (CALL-2). */
  #answer(prepared: PreparedCall): unknown {
    const { predicted, delegate } = prepared
    // What the caller's model imagined is not the word of a clean room.
    if (predicted && !delegate) return predicted.output
    const { id } = this.#accepted
    const { signal } = this.#limits ?? new Cancellation()
    const spend = (told: Partial<TokenUsage>): void => this.spend(told)
    const asked = { ...this.#handedOut(prepared), id, signal, spend }
    return this.#orCancelled(askModel(prepared, this.#options, asked))
  }

  #orCancelled<Result>(work: Result | PromiseLike<Result>): Result | PromiseLike<Result> {
    return this.#cancellation ? orCancelled(Promise.resolve(work), this.#cancellation) : work
  }

  /** Asks before the Call runs; a Call that takes its place passes every check of its own (REQ-9). */
  async #confirm(confirm: NonNullable<RunOptions['confirm']>): Promise<void> {
    const { prepared, id } = this.#accepted
    if (!prepared) return
    const { askToConfirm } = await confirming()
    const instead = await askToConfirm(prepared, id, confirm, (answer) => this.#orCancelled(answer))
    if (instead) this.#accepted = await acceptAs(this.#accepted, this.#state, instead.replace, this.#options)
  }

  /** Runs the other implementation, before the Call's own begins; its failure is data, never the Call's. */
  async #runShadow(prepared: PreparedCall, other: Implementation): Promise<Outcome> {
    const run: CallRun = shadowRun(this.#accepted, prepared, other, this.#options, this.#group)
    return new Run(this.#state, run.accepted, run.options, run.group).end((outcome) => ({
      ...outcome,
      appended: [],
    }))
  }

  #reportComparison(primary: Outcome, shadowed: Promise<Outcome>): void {
    void shadowed.then((shadow) => this.#state.events.emit('activity:compare', { primary, shadow }))
  }

  /** Waits until the next attempt may begin. Rejects with the error where there is to be none. */
  async #beforeRetry(prepared: PreparedCall, error: CallsheetError): Promise<void> {
    const attempt = this.#attempts
    const { retry } = this.#options
    if (!retry) throw error
    const { backOff, mayRetry } = await retrying()
    if (!mayRetry(retry, prepared, prepared.implementation, error, attempt)) throw error
    const tool = prepared.entry.facts.name
    this.#state.events.emit('activity:retry', { id: this.#accepted.id, tool, attempt, error })
    await backOff(retry, attempt, this.#cancellation)
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
