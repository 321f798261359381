import type { Call } from '../context/message.ts'
import type { CallsheetError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import type { ActivityContext } from '../tools/activity.ts'
import { acceptInstead } from './accept-call.ts'
import { Attempt } from './activity-run.ts'
import { asInternal } from './as-error.ts'
import { asAttemptError, asOutputError } from './attempt-error.ts'
import type { CallGroup } from './call-group.ts'
import { type CallLimits, callLimits } from './call-limits.ts'
import { Cancellation } from './cancellation.ts'
import { conclude } from './conclude.ts'
import type { Conclusion } from './conclusion.ts'
import type { Implementation } from './implementation.ts'
import { copiedContext, dataPlane } from './load-data-plane.ts'
import { extras, loadExtras } from './load-extras.ts'
import type { Outcome } from './outcome.ts'
import { type AcceptedCall, outcomeOf } from './outcome-of.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RegistryState } from './registry-state.ts'
import type { RetryOptions, RunOptions } from './run-options.ts'
import { orCancelled } from './settle.ts'
import type { CallRun } from './shadow-run.ts'
import type { TracedCall } from './telemetry.ts'
import { activeTracer } from './tracer.ts'

/** Runs an accepted Call to its Outcome. Never rejects. Writes nothing to a context: that is the caller's to decide. */
export function runAccepted(
  state: RegistryState,
  accepted: AcceptedCall,
  options: RunOptions,
  group?: CallGroup,
): Promise<Outcome> {
  const tracer = activeTracer(options.telemetry)
  if (!tracer) return finished(state, accepted, options, group)
  const { captureContent = false } = options.telemetry || {}
  const run = (): Promise<Outcome> => finished(state, accepted, options, group)
  return traced({ events: state.events, tracer, captureContent, call: accepted, run })
}

function finished(
  state: RegistryState,
  accepted: AcceptedCall,
  options: RunOptions,
  group: CallGroup | undefined,
): Promise<Outcome> {
  const outcome = new Run(state, accepted, options, group).outcome()
  return options.after ? loadExtras().then(({ afterwards }) => afterwards(outcome, options)) : outcome
}

/** Loads what makes spans when the first one is made, since most processes make none. */
async function traced(call: TracedCall): Promise<Outcome> {
  const { traceCall } = await import('./telemetry.ts')
  return traceCall(call)
}

/** One Call on its way to its Outcome. */
class Run {
  readonly #state: RegistryState
  readonly #options: RunOptions
  readonly #group: CallGroup | undefined
  readonly #limits: CallLimits | undefined
  #accepted: AcceptedCall
  #attempts = 0

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

  /** Set where something can cancel the Call. */
  get #cancellation(): Cancellation | undefined {
    return this.#limits?.cancellation
  }

  async outcome(): Promise<Outcome> {
    let shadow: Promise<Outcome> | undefined
    let outcome: Outcome
    try {
      const cancelled = this.#cancellation?.reason
      if (cancelled) return this.#failed(cancelled)
      const { confirm } = this.#options
      if (confirm) await this.#confirm(confirm)
      const { prepared, error } = this.#accepted
      if (!prepared) return this.#failed(error as CallsheetError)
      this.#group?.require?.(prepared)
      const beside =
        prepared.shadow &&
        extras()?.shadowRun(this.#accepted, prepared, prepared.shadow, this.#options, this.#group)
      shadow = beside && this.#runShadow(beside)
      outcome = this.#concluded(await this.#attempt(prepared, prepared.implementation))
    } catch (thrown) {
      outcome = this.#failed(asInternal(thrown, 'ran the Call'))
    } finally {
      this.#limits?.release()
    }
    if (shadow) this.#reportComparison(outcome, shadow)
    return outcome
  }

  /** Attempts until one succeeds, none is left, or another one is not allowed. Rejects with the last error. */
  async #attempt(prepared: PreparedCall, implementation: Implementation): Promise<Conclusion> {
    const { retry } = this.#options
    for (;;) {
      // What cancels it may come while a hook is asked or another attempt is decided on: then nothing more is started.
      if (this.#cancellation?.reason) throw this.#cancellation.reason
      this.#attempts++
      let returned = false
      try {
        const latent = implementation.mode === 'latent'
        const result = await (latent ? this.#answer(prepared) : this.#start(prepared, implementation))
        returned = true
        const concluded = conclude(prepared, result, this.#options)
        return concluded instanceof Promise ? await concluded : concluded
      } catch (thrown) {
        const asOwn = returned ? asOutputError : asAttemptError
        const error = this.#cancellation?.reason ?? asOwn(prepared, implementation, thrown)
        if (!retry) throw error
        await this.#beforeRetry(prepared, implementation, retry, error)
      }
    }
  }

  #start(prepared: PreparedCall, implementation: Implementation & { mode: 'explicit' }): unknown {
    const { entry } = prepared
    const { call, context } = this.#handedOut(prepared)
    const about = new Attempt(
      this.#accepted.id,
      this.#attempts,
      entry.facts.name,
      this.#state.events,
      this.#cancellation,
    )
    return this.#orCancelled(implementation.run(call, entry.schema, context, about))
  }

  /** Where there can be more than one attempt, each gets copies: what one does to them does not reach the next. */
  #handedOut({ resolved, context }: PreparedCall): { call: Call; context: ActivityContext } {
    if (!this.#options.retry) return { call: resolved, context }
    return { call: copyJson(resolved), context: copiedContext(context) }
  }

  /** The Call's own `_output`, or what the model says when asked (CALL-2). */
  #answer(prepared: PreparedCall): unknown {
    const { predicted, delegate } = prepared
    // What the caller's model imagined is not the word of a clean room.
    return predicted && !delegate ? predicted.output : this.#orCancelled(this.#ask(prepared))
  }

  async #ask(prepared: PreparedCall): Promise<unknown> {
    const asked = {
      ...this.#handedOut(prepared),
      id: this.#accepted.id,
      signal: (this.#cancellation ?? new Cancellation()).signal,
    }
    const { askModel } = await loadExtras()
    return askModel(prepared, this.#options, asked)
  }

  #orCancelled<Result>(work: Result | PromiseLike<Result>): Result | PromiseLike<Result> {
    return this.#cancellation ? orCancelled(Promise.resolve(work), this.#cancellation) : work
  }

  /** Asks before the Call runs; a Call that takes its place passes every check of its own (REQ-9). */
  async #confirm(confirm: NonNullable<RunOptions['confirm']>): Promise<void> {
    const { prepared, id } = this.#accepted
    if (!prepared) return
    const { askToConfirm } = await loadExtras()
    const instead = await askToConfirm(prepared, id, confirm, (answer) => this.#orCancelled(answer))
    if (!instead) return
    this.#accepted = await acceptInstead(this.#state, instead.replace, this.#options, this.#accepted)
  }

  /** Runs the other implementation; its failure is data, never the Call's. */
  async #runShadow({ accepted, options, group }: CallRun): Promise<Outcome> {
    const outcome = await new Run(this.#state, accepted, options, group).outcome()
    return { ...outcome, appended: [] }
  }

  #reportComparison(primary: Outcome, shadowed: Promise<Outcome>): void {
    void shadowed.then((shadow) => this.#state.events.emit('activity:compare', { primary, shadow }))
  }

  /** Waits until the next attempt may begin. Rejects with the error where there is to be none. */
  async #beforeRetry(
    prepared: PreparedCall,
    implementation: Implementation,
    retry: RetryOptions,
    error: CallsheetError,
  ): Promise<void> {
    const attempt = this.#attempts
    const { mayRetry, backOff } = await loadExtras()
    if (!mayRetry(retry, prepared, implementation, error, attempt)) throw error
    const tool = prepared.entry.facts.name
    this.#state.events.emit('activity:retry', { id: this.#accepted.id, tool, attempt, error })
    await backOff(retry, attempt, this.#cancellation)
  }

  #concluded(conclusion: Conclusion): Outcome {
    const { invalid: error, appended } = conclusion
    const outcome = outcomeOf(this.#accepted, {
      status: 'succeeded',
      attempts: this.#attempts,
      error,
      appended,
    })
    if ('output' in conclusion) outcome.output = conclusion.output
    if (conclusion.message) outcome.message = conclusion.message
    return outcome
  }

  /** What went wrong while the Activity ran is written to the last alternative, where there is one (OUT-6). */
  #failed(error: CallsheetError): Outcome {
    const { prepared } = this.#accepted
    const outcome = outcomeOf(this.#accepted, { attempts: this.#attempts, error, appended: [] })
    if (!prepared?.path || this.#attempts === 0 || outcome.status !== 'failed' || this.#group) return outcome
    outcome.appended = dataPlane()?.alternativeOf(prepared, error) ?? []
    return outcome
  }
}
