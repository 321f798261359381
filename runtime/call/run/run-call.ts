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
import { activeTracer, type CallTracer } from '../telemetry/tracer.ts'
import { askModel } from './ask-model.ts'
import { Attempt, type AttemptedCall } from './attempt.ts'
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

/** Makes of an Outcome what its caller wants. Handed what it needs, since a closure for each Call would cost more than it does. */
export type Finish<Result> = (outcome: Outcome, state: RegistryState, options: RunOptions) => Result

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
  finish: Finish<Result>,
  group?: CallGroup,
): Promise<Result> {
  const run = new Run(state, accepted, options, group)
  const tracer = activeTracer(options.telemetry)
  if (!tracer && !options.after) return run.end(finish)
  return runWatched(run, state, accepted, options, tracer).then((outcome) => finish(outcome, state, options))
}

/** Runs a Call in a span, and with its hook `after`, where there are such. */
async function runWatched(
  run: Run,
  { events }: RegistryState,
  call: AcceptedCall,
  options: RunOptions,
  tracer: CallTracer | undefined,
): Promise<Outcome> {
  const toOutcome = (): Promise<Outcome> => askAfter(run.end(asItIs), options)
  if (!tracer) return toOutcome()
  const { captureContent = false } = options.telemetry || {}
  const { traceCall } = await tracing()
  return traceCall({ events, tracer, captureContent, call, run: toOutcome })
}

/** The `finish` of a run whose Outcome is all that is wanted. */
export function asItIs(outcome: Outcome): Outcome {
  return outcome
}

/** One Call on its way to its Outcome. */
class Run implements AttemptedCall {
  readonly #state: RegistryState
  readonly #options: RunOptions
  readonly #group: CallGroup | undefined
  readonly #limits: CallLimits | undefined
  #accepted: AcceptedCall
  #attempts = 0
  /** Why the result of an attempt cannot be used. */
  #unusable: OutputError | undefined
  #usage: TokenUsage | undefined
  /** What runs beside it for comparison. */
  #shadow: Promise<Outcome> | undefined

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
    this.#limits = callLimits(options, group?.cancellation, accepted.waited)
  }

  get variantKey(): string | undefined {
    return this.#options.variantKey
  }

  spend(told: Partial<TokenUsage>): void {
    this.#usage = addUsage(this.#usage ?? noUsage, told)
  }

  /** Set where something can cancel the Call. */
  get #cancellation(): Cancellation | undefined {
    return this.#limits?.cancellation
  }

  /**
   * Runs to the Outcome, and resolves with what is made of it: attempts, until one succeeds or there is to be no other.
   * One asynchronous function with few variables, since each of them is kept for every Call while it waits.
   */
  async end<Result>(finish: Finish<Result>): Promise<Result> {
    let ending: Conclusion | CallsheetError | undefined
    while (!ending) {
      try {
        const { confirm } = this.#options
        if (confirm && this.#attempts === 0 && !this.#group?.isApproved) await this.#confirm(confirm)
        ending = this.#conclude(await this.#perform())
      } catch (thrown) {
        ending = await this.#afterFailure(thrown)
      }
    }
    return finish(this.#outcomeOf(ending), this.#state, this.#options)
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
    return implementation.mode === 'latent' ? this.#answer(prepared) : this.#start(prepared, implementation)
  }

  /** @throws what has cancelled the Call. */
  #requireGoing(): void {
    if (this.#cancellation?.reason) throw this.#cancellation.reason
  }

  #conclude(result: unknown): Conclusion {
    // What has been performed was prepared.
    const prepared = this.#accepted.prepared as PreparedCall
    try {
      return conclude(prepared, result, this.#options)
    } catch (thrown) {
      this.#unusable = asOutputError(prepared, prepared.implementation, thrown)
      throw this.#unusable
    }
  }

  /** Waits until another attempt may begin. @returns why the Call has failed, where there is to be none. */
  async #afterFailure(thrown: unknown): Promise<CallsheetError | undefined> {
    const { prepared, identity } = this.#accepted
    const { retry } = this.#options
    const attempt = this.#attempts
    try {
      // What was thrown before anything ran is the error of the Call.
      if (!prepared || attempt === 0) throw thrown
      const error = this.#errorOf(prepared, thrown)
      if (!retry) return error
      const { backOff, mayRetry } = await retrying()
      if (!mayRetry(retry, prepared, prepared.implementation, error, attempt)) return error
      const tool = prepared.entry.facts.name
      this.#state.events.emit('activity:retry', { id: identity.id, tool, attempt, error })
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
    void this.#shadow?.then((shadow) =>
      this.#state.events.emit('activity:compare', { primary: outcome, shadow }),
    )
    return outcome
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
      this.#accepted.identity,
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
    const { id } = this.#accepted.identity
    const { signal } = this.#limits ?? new Cancellation()
    const spend = (told: Partial<TokenUsage>): void => this.spend(told)
    const asked = { ...this.#handedOut(prepared), id, signal, spend }
    return this.#orCancelled(askModel(this.#state, prepared, this.#options, asked))
  }

  #orCancelled<Result>(work: Result | PromiseLike<Result>): Result | PromiseLike<Result> {
    return this.#cancellation ? orCancelled(Promise.resolve(work), this.#cancellation) : work
  }

  /** Asks before the Call runs; a Call that takes its place passes every check of its own (REQ-9). */
  async #confirm(confirm: NonNullable<RunOptions['confirm']>): Promise<void> {
    this.#requireGoing()
    const { prepared, identity } = this.#accepted
    if (!prepared) return
    const { askToConfirm } = await confirming()
    const instead = await askToConfirm(prepared, identity.id, confirm, (answer) => this.#orCancelled(answer))
    if (instead) this.#accepted = await acceptAs(identity, this.#state, instead.replace, this.#options)
  }

  /** Runs the other implementation, before the Call's own begins; its failure is data, never the Call's. */
  async #runShadow(prepared: PreparedCall, other: Implementation): Promise<Outcome> {
    const run: CallRun = shadowRun(this.#accepted, prepared, other, this.#options, this.#group)
    return new Run(this.#state, run.accepted, run.options, run.group).end((outcome) => ({
      ...outcome,
      appended: [],
    }))
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
