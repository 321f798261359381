import type { Call } from '../context/message.ts'
import { ActivityError, CallError, type CallsheetError } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { Schema } from '../schema/schema.ts'
import type { ActivityContext } from '../tools/activity.ts'
import { acceptInstead } from './accept-call.ts'
import { Attempt } from './activity-run.ts'
import { asError } from './as-error.ts'
import { asAttemptError, asOutputError } from './attempt-error.ts'
import { type CallLimits, callLimits } from './call-limits.ts'
import { Cancellation } from './cancellation.ts'
import { conclude } from './conclude.ts'
import type { Conclusion } from './conclusion.ts'
import type { Implementation } from './implementation.ts'
import type { LatentModel } from './latent.ts'
import { dataPlane, loadDataPlane } from './load-data-plane.ts'
import type { Outcome } from './outcome.ts'
import { type AcceptedCall, outcomeOf } from './outcome-of.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RegistryState } from './registry-state.ts'
import { mayRetry, waitAfter } from './retry.ts'
import type { OutputPolicy, RetryOptions, RunOptions } from './run-options.ts'
import { orCancelled, pause } from './settle.ts'
import type { TracedCall } from './telemetry.ts'
import { activeTracer } from './tracer.ts'

/** The group that a Call runs in, which writes no alternative of its own (CALL-5). */
export interface CallGroup {
  /** Cancels all of them together. */
  readonly cancellation: Cancellation
  /** A loser cannot be undone (TOOL-9); a hook may have put another Call in the place of a harmless one. */
  readonly refusesWrites: boolean
}

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
  return options.after ? afterwards(outcome, options.after) : outcome
}

/** Loads what makes spans when the first one is made, since most processes make none. */
async function traced(call: TracedCall): Promise<Outcome> {
  const { traceCall } = await import('./telemetry.ts')
  return traceCall(call)
}

/** Lets the hook see the Outcome, and replace it. */
async function afterwards(
  pending: Outcome | Promise<Outcome>,
  after: NonNullable<RunOptions['after']>,
): Promise<Outcome> {
  const outcome = await pending
  try {
    return (await after(outcome)) ?? outcome
  } catch (thrown) {
    return { ...outcome, status: 'failed', error: asError(thrown, 'The hook `after` threw'), appended: [] }
  }
}

/** The Outcome of a Call that ends without having run. */
export async function endUnrun(
  accepted: AcceptedCall,
  error: CallsheetError,
  { after }: RunOptions,
): Promise<Outcome> {
  const outcome = outcomeOf(accepted, { attempts: 0, error, appended: [] })
  return after ? afterwards(outcome, after) : outcome
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
      if (this.#options.confirm) await this.#confirm()
      const { prepared, error } = this.#accepted
      if (!prepared) return this.#failed(error as CallsheetError)
      if (this.#group?.refusesWrites) refuseWrite(prepared)
      shadow = prepared.shadow && this.#runShadow(prepared, prepared.shadow)
      outcome = this.#concluded(await this.#attempt(prepared, prepared.implementation))
    } catch (thrown) {
      outcome = this.#failed(asError(thrown, 'The Call failed'))
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
      this.#attempts++
      let returned = false
      try {
        const latent = implementation.mode === 'latent'
        const result = await (latent ? this.#answer(prepared) : this.#start(prepared, implementation))
        returned = true
        const concluded = conclude(prepared, result)
        const conclusion = concluded instanceof Promise ? await concluded : concluded
        if (!conclusion.invalid || outputPolicy(prepared, this.#options) === 'report') return conclusion
        throw conclusion.invalid
      } catch (thrown) {
        const asOwn = returned ? asOutputError : asAttemptError
        const error = this.#cancellation?.reason ?? asOwn(prepared, implementation, thrown)
        if (!retry || !mayRetry(retry, prepared, implementation, error, this.#attempts)) throw error
        await this.#backOff(prepared, retry, error)
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
    return { call: copyJson(resolved), context: copied(context) }
  }

  /** The Call's own `_output`, or what the model says when asked (CALL-2). */
  #answer(prepared: PreparedCall): unknown {
    const { entry, predicted, delegate } = prepared
    // What the caller's model imagined is not the word of a clean room.
    if (predicted && !delegate) return predicted.output
    const { model } = this.#options
    const output = outputSchema(entry.schema)
    if (!model || output === undefined) throw noModel(entry.facts.name)
    return this.#orCancelled(this.#ask(model, prepared, output))
  }

  async #ask(model: LatentModel, prepared: PreparedCall, output: Schema): Promise<unknown> {
    const { entry, delegate } = prepared
    const signal = (this.#cancellation ?? new Cancellation()).signal
    const { call, context } = this.#handedOut(prepared)
    const seesAll = !delegate && !(entry.facts.scopes ?? (call._scopes as string[] | undefined))?.length
    const seen = seesAll ? (await loadDataPlane()).wholeContext(this.#options, call._instance) : context
    const { id } = this.#accepted
    const request = { id, call, tool: entry.schema, output, context: seen, signal }
    return model.answer(delegate ? { ...request, delegate } : request)
  }

  #orCancelled<Result>(work: Result | PromiseLike<Result>): Result | PromiseLike<Result> {
    return this.#cancellation ? orCancelled(Promise.resolve(work), this.#cancellation) : work
  }

  /** Asks before the Call runs; a Call that takes its place passes every check of its own (REQ-9). */
  async #confirm(): Promise<void> {
    const { prepared, id } = this.#accepted
    const { confirm } = this.#options
    if (!prepared || !confirm) return
    const { implementation, entry, resolved, context } = prepared
    const info = {
      id,
      tool: entry.schema,
      mode: implementation.mode,
      context: copyJson(context),
      ...(implementation.mode === 'explicit' && { activity: implementation.activity }),
    }
    // Copies, since what has been checked must be what runs.
    const answer = await this.#orCancelled(confirm(copyJson(resolved), info))
    if (answer === undefined || answer === true) return
    if (answer === false || 'refuse' in answer) {
      const why = answer === false ? '' : `: ${answer.refuse}`
      throw new ActivityError('refused', `The Call of "${entry.facts.name}" was refused${why}.`)
    }
    this.#accepted = await acceptInstead(this.#state, answer.replace, this.#options, this.#accepted)
  }

  /** Runs the other implementation; its failure is data, never the Call's. */
  async #runShadow(prepared: PreparedCall, shadow: Implementation): Promise<Outcome> {
    const { shadow: itself, resolved, context, ...shared } = prepared
    const copies = { resolved: copyJson(resolved), context: copied(context) }
    const alone = { ...this.#accepted, prepared: { ...shared, ...copies, implementation: shadow } }
    const { confirm, retry, ...options } = this.#options
    const group = this.#group ?? { cancellation: new Cancellation(), refusesWrites: false }
    const outcome = await new Run(this.#state, alone, options, group).outcome()
    return { ...outcome, appended: [] }
  }

  #reportComparison(primary: Outcome, shadowed: Promise<Outcome>): void {
    void shadowed.then((shadow) => this.#state.events.emit('activity:compare', { primary, shadow }))
  }

  async #backOff(prepared: PreparedCall, retry: RetryOptions, error: CallsheetError): Promise<void> {
    const tool = prepared.entry.facts.name
    this.#state.events.emit('activity:retry', { id: this.#accepted.id, tool, attempt: this.#attempts, error })
    const wait = waitAfter(retry, this.#attempts)
    if (wait > 0) await pause(wait, this.#cancellation ?? new Cancellation())
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

/** A Call without the data plane has an empty context. */
function copied(context: ActivityContext): ActivityContext {
  return dataPlane()?.copyContext(context) ?? copyJson(context)
}

function refuseWrite({ entry }: PreparedCall): void {
  const { name, effects } = entry.facts
  if (effects !== 'write') return
  throw new CallError(
    'unsafe_strategy',
    `A hook put a Call of "${name}", declared effects: 'write', into Tool.any or Tool.race. What a loser wrote cannot be undone: say { allowEffects: true } to let it.`,
  )
}

function outputPolicy(prepared: PreparedCall, { onInvalidOutput = 'error' }: RunOptions): OutputPolicy {
  if (typeof onInvalidOutput === 'string') return onInvalidOutput
  const { name } = prepared.entry.facts
  return Object.hasOwn(onInvalidOutput, name) ? (onInvalidOutput[name] as OutputPolicy) : 'error'
}

function noModel(name: string): CallError {
  return new CallError(
    'no_model',
    `Tool "${name}" runs latently, the Call carries no _output, and no model is configured to give one. Pass { model } to the run or to createRegistry, or register an Activity.`,
  )
}
