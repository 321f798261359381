import { unstartedOutcome } from '../agent/loop/unstarted-outcome.ts'
import type { BuiltCall } from '../context/built-call.ts'
import {
  type ActivityRequest,
  type ActivityTools,
  mayRunAgain,
  requireRequest,
  runActivity,
  type ServedCallOptions,
} from '../durable/activity-request.ts'
import { keepOutcome } from '../durable/keep-outcome.ts'
import { type RecordedOutcome, recordOutcome } from '../durable/recorded-outcome.ts'
import { ActivityError, CallsheetError } from '../errors.ts'
import { isRepeatable } from '../schema/effects.ts'
import { isCodeOfCall } from '../server/outcome-there.ts'
import { type FingerprintedOutcome, fingerprintOf } from './call-fingerprint.ts'
import { endOnErrors } from './end-on-errors.ts'
import { handlerName } from './handler-name.ts'
import { handlerOptions, restateRecord, runOptions, type WholeLimits } from './limits.ts'
import {
  jsonSerde,
  type RestateContext,
  type RestatePromise,
  type RestateSdk,
  type RestateService,
} from './sdk.ts'
import { UnrecordedWrites } from './unrecorded-writes.ts'

/**
 * The type of the Activities' handlers, for typed clients of Restate's SDK: one per Tool.
 *
 * @example
 * const tools = ctx.serviceClient<RestateActivities<Calls, Outputs>>({ name: 'tools' })
 * const { output } = await tools.distance({ call: calls.distance({ from, to }), id: 'a key' })
 */
export type RestateActivities<
  Calls extends object,
  Outputs extends { readonly [Name in keyof Calls]: unknown },
> = {
  [Name in keyof Calls]: (
    ctx: RestateContext,
    request: ActivityRequest<Calls[Name] | BuiltCall<Outputs[Name]>>,
  ) => Promise<FingerprintedOutcome & { readonly output?: Outputs[Name] }>
}

export interface ActivityServiceSettings {
  readonly sdk: RestateSdk
  readonly Tool: ActivityTools
  readonly service: string
  readonly names: readonly string[]
  readonly limits: WholeLimits
  readonly run: ServedCallOptions | undefined
}

/** Creates the service whose handlers are the Activities (DUR-1), each with its own name and the engine's retries. */
export function activityService(settings: ActivityServiceSettings): RestateService {
  const { sdk, service, names, limits } = settings
  const byHandler = new Map<string, string>()
  for (const name of names) {
    const handler = handlerName(name)
    const other = byHandler.get(handler)
    if (other !== undefined) {
      throw new CallsheetError(
        'invalid_options',
        `The Tools "${other}" and "${name}" would both be the handler "${handler}" of Restate's service "${service}". Rename one of them.`,
      )
    }
    byHandler.set(handler, name)
  }
  const handlers = Array.from(byHandler, ([handler, name]) => [handler, activityHandler(name, settings)])
  return sdk.service({
    name: service,
    handlers: Object.fromEntries(handlers),
    options: handlerOptions(limits),
  })
}

function activityHandler(
  name: string,
  { sdk, Tool, limits, run }: ActivityServiceSettings,
): (ctx: RestateContext, request: ActivityRequest) => Promise<FingerprintedOutcome> {
  const attempts = new AttemptCounts()
  const writes = new UnrecordedWrites()
  return async (ctx, request) => {
    const schema = Tool.get(name)
    const cancelled = new AbortController()
    const { id: invocation, attemptCompletedSignal } = ctx.request()
    // A started write runs to its end: otherwise nobody would know how far it got.
    const isWrite = !isRepeatable(schema?.effects)
    const signal = isWrite
      ? new AbortController().signal
      : AbortSignal.any([cancelled.signal, attemptCompletedSignal])
    const { call, id } = await endOnErrors(sdk, async () => requireRequest(request, name))
    const fingerprint = await fingerprintOf(call)
    const failed = (error: CallsheetError): RecordedOutcome =>
      recordOutcome(unstartedOutcome(call, id, error))
    // Everything a handler returns comes from its journal, so that a repeated run returns the same.
    const record = (entry: string, what: () => Promise<RecordedOutcome>, retry: object = {}) =>
      ctx.run(entry, what, { ...retry, serde: jsonSerde<RecordedOutcome>() })
    let last: RecordedOutcome | undefined
    const attempt = async (): Promise<RecordedOutcome> => {
      const made = attempts.add(id)
      const outcome = await runActivity(Tool, name, request, {
        timeout: limits.timeout,
        signal,
        attempt: made,
        run,
      })
      const recorded = { ...keepOutcome(outcome, restateRecord(ctx)), attempts: outcome.attempts && made }
      if (!mayRunAgain(Tool, name, outcome)) return recorded
      last = recorded
      // Thrown for the engine, which retries it by its policy and shows this text meanwhile.
      throw new Error(`${outcome.error?.code}: ${outcome.error?.message}`)
    }
    const end = (outcome: RecordedOutcome): FingerprintedOutcome => {
      attempts.forget(id)
      writes.forget(invocation, call)
      return { ...outcome, fingerprint }
    }
    const work = isWrite ? () => writes.run(invocation, call, attempt) : attempt
    const done = record(name, work, runOptions(limits))
    try {
      return end(await done)
    } catch (thrown) {
      // Any other exception is how the engine ends this attempt.
      if (!(thrown instanceof sdk.TerminalError)) throw thrown
      if (!(thrown instanceof sdk.CancelledError)) {
        const { message } = thrown
        const given = async (): Promise<RecordedOutcome> => last ?? failed(errorOf(message))
        return end({ ...(await record('failed', given)), attempts: limits.retry.attempts })
      }
      if (isWrite) return end(await endOf(sdk, done))
      const error = new ActivityError('aborted', 'The Call was cancelled.')
      cancelled.abort(error)
      return end(await record('cancelled', async () => failed(error)))
    }
  }
}

/** Waits for a write, however often its invocation is cancelled meanwhile. */
async function endOf<Result>(sdk: RestateSdk, done: RestatePromise<Result>): Promise<Result> {
  for (;;) {
    try {
      // A promise of its own: the one that was cancelled stays so.
      return await done.map((outcome) => outcome as Result)
    } catch (thrown) {
      if (!(thrown instanceof sdk.CancelledError)) throw thrown
    }
  }
}

/** Restores the failure of another process's attempt from the text that the engine stored. */
function errorOf(message: string): ActivityError {
  const { code, text = message } = /^(?<code>[a-z_]+): (?<text>.*)$/s.exec(message)?.groups ?? {}
  return isCodeOfCall(code) ? new ActivityError(code, text) : new ActivityError('activity_failed', message)
}

/** Counts how often this process has started a Call that the engine retries. Other processes may have started it too. */
class AttemptCounts {
  readonly #counts = new Map<string, number>()

  add(id: string): number {
    const count = (this.#counts.get(id) ?? 0) + 1
    this.forget(id)
    this.#counts.set(id, count)
    // A Call may end in another process, so drop the oldest entries.
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > 10_000 && oldest !== undefined) this.#counts.delete(oldest)
    return count
  }

  forget(id: string): void {
    this.#counts.delete(id)
  }
}
