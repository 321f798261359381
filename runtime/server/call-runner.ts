import { mapWithLimit } from '../call/groups/map-with-limit.ts'
import type { Outcome } from '../call/outcome.ts'
import { concurrencyOf, stateBehind, timeoutOf } from '../call/registry-state.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { Call } from '../context/message.ts'
import { type ErrorData, isCallsheetError } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { tellListener } from '../problems/tell-listener.ts'
import { isRepeatable } from '../schema/effects.ts'
import type { Admission } from './admission.ts'
import { type CallRequest, mostAttempts, type RequestedCall, type Strategy } from './call-request.ts'
import type { StopSignal } from './ending.ts'
import { type Follower, Followers } from './followers.ts'
import type { Principal } from './gate.ts'
import { goesOn, orWhenStopped } from './going-on.ts'
import type { ServerLimits } from './limits.ts'
import { type OutcomeJson, outcomeJson } from './outcome-json.ts'
import { runPassed } from './passed-servers.ts'
import { ServerProblem } from './problem-response.ts'
import type { OnceOptions, OnceRunner } from './run-once.ts'
import type { ServableTool } from './served-tools.ts'
import { whyAborted } from './why-aborted.ts'

/** The result of a group; `error` if its strategy failed. */
export interface GroupResult {
  readonly strategy: Strategy
  readonly outcomes: readonly OutcomeJson[]
  readonly error?: ErrorData
}

/** The client of a request, and how long it listens. */
export interface Asker {
  readonly principal: Principal | undefined
  /** Aborted when the client no longer waits for the answer. */
  readonly signal: StopSignal
  readonly follower?: Follower | undefined
}

/** The inputs of a {@link CallRunner}. */
export interface CallRunnerSettings {
  readonly tools: ServableTool
  readonly limits: ServerLimits
  readonly admission: Admission
  readonly once: OnceRunner
  readonly options: ServedRunOptions
}

/** Options of every Call that a server runs: those of `Tool.run` that the request does not decide. */
export type ServedRunOptions = Omit<
  RunOptions,
  'signal' | 'id' | 'attempt' | 'context' | 'references' | 'timeout' | 'principal'
>

/** The result of one Call of a served group. */
interface EndInGroup {
  readonly outcome: OutcomeJson
  /** Why the Call did not run. */
  readonly refusal?: ServerProblem
}

/** Runs the Calls of requests: within the limits, each id once, on behalf of the caller. */
export class CallRunner {
  readonly #tools: ServableTool
  readonly #limits: ServerLimits
  readonly #admission: Admission
  readonly #once: OnceRunner
  readonly #options: ServedRunOptions
  readonly #followers: Followers
  /** The ids of Calls that run and write. */
  readonly #writing = new Set<string>()

  constructor({ tools, limits, admission, once, options }: CallRunnerSettings) {
    this.#tools = tools
    this.#limits = limits
    this.#admission = admission
    this.#once = once
    this.#options = options
    this.#followers = new Followers(tools)
  }

  close(): void {
    this.#followers.close()
  }

  /** Runs one Call to its Outcome. */
  async runOne(
    { call, id: given }: RequestedCall,
    request: Pick<CallRequest, 'context' | 'references' | 'variantKey' | 'passed'> &
      Partial<Pick<CallRequest, 'attempt'>>,
    { principal, signal, follower = {} }: Asker,
  ): Promise<OutcomeJson> {
    const effects = this.#effectsOf(call)
    const { attempt = 1 } = request
    const id = given === undefined ? globalThis.crypto.randomUUID() : keyOf(given, principal)
    const unfollow = this.#followers.follow(id, given ?? id, follower)
    // A started write runs to its end: otherwise nobody would know how far it got.
    const run = (asked: StopSignal): Promise<Outcome> =>
      this.#admission.run(() => {
        const own = effects === 'write' ? undefined : asked
        const start = (): Promise<Outcome> => {
          if (effects === 'write') this.#writing.add(id)
          return this.#tools
            .run(call, {
              ...this.#runOptions(request, principal, own, id),
              attempt: this.#firstAttempt(attempt),
            })
            .then((outcome) => whyAborted(outcome, own))
            .finally(() => this.#writing.delete(id))
        }
        const { passed } = request
        return passed === undefined ? start() : runPassed(this.#tools, id, passed, start)
      }, asked)
    try {
      const running =
        given === undefined
          ? run(signal).then(outcomeJson)
          : this.#runOnce(attempt, {
              key: id,
              call,
              reads: readsContext(call, request) ? request.context : undefined,
              isRepeatable: isRepeatable(effects),
              mayRepeat: (tool) => isRepeatable(this.#tools.get(tool)?.effects),
              signal,
              run,
            })
      const outcome =
        effects === 'write'
          ? await orWhenStopped(
              running,
              signal,
              () => this.#writing.has(id),
              () => goesOn(id, call, signal),
            )
          : await running
      // Report the Call by the id that the caller gave.
      const named = given === undefined ? outcome : { ...outcome, id: given }
      follower.outcome?.(named)
      return named
    } finally {
      unfollow()
    }
  }

  /**
   * Runs a Call once, and again for each later attempt of its caller after a failure. An attempt whose answer was lost
   * gets the result of the earlier one, which may still be running.
   */
  async #runOnce(attempt: number, options: OnceOptions): Promise<OutcomeJson> {
    // Doubled, so that no id of a caller is the key of another one's later attempt.
    const first = options.key.replaceAll('\n', '\n\n')
    for (let past = 1; ; past++) {
      const key = past === 1 ? first : `${first}\n${past}`
      // Not by the times of the Outcome: another process may have another clock.
      const { outcome, wasOver } = await this.#once.run({ ...options, key })
      const { status, error } = outcome
      const isKnown = options.isRepeatable || error?.code !== 'interrupted'
      // The caller knows only the Tool that it asked for; a hook may have replaced the Call by one of another.
      const isAsked = outcome.tool === options.call._tool || options.mayRepeat(outcome.tool)
      const hasFailed = wasOver && status !== 'succeeded' && isKnown && isAsked
      if (past >= attempt || !hasFailed) return outcome
    }
  }

  /** Runs a group. With `each`, every Call has an Outcome; otherwise as `Tool.all`, `any` and `race` do. */
  async runGroup(request: CallRequest & { readonly strategy: Strategy }, asker: Asker): Promise<GroupResult> {
    const { calls, strategy } = request
    const { principal, signal, follower } = asker
    const most = concurrencyOf(this.#tools, calls.length)
    if (strategy === 'each') {
      const ends = await mapWithLimit<RequestedCall, EndInGroup>(
        most,
        calls,
        (call, place, onEnd, onDefect) => {
          const run = this.#runOfGroup(call, request, asker)
          run.then((end) => onEnd(place, end), onDefect)
        },
      )
      const refusals = ends.flatMap(({ refusal }) => refusal ?? [])
      // If nothing ran, the whole request fails.
      if (refusals[0] && refusals.length === ends.length) throw refusals[0]
      return { strategy, outcomes: ends.map(({ outcome }) => outcome) }
    }
    const ended: OutcomeJson[] = []
    const writes = calls.some(({ call }) => this.#effectsOf(call) === 'write')
    const only = calls.map(({ call }) => call)
    const { onOutcome, before } = stateBehind(this.#tools)?.defaults ?? {}
    const unfollow: (() => void)[] = []
    const concurrency = Math.max(1, Math.min(this.#limits.concurrency, most))
    const own = writes ? undefined : signal
    const options: GroupOptions = {
      ...this.#runOptions(request, principal, own),
      concurrency,
      // Only this hook is told the id of a Call before it runs.
      ...(follower?.progress && {
        before: (call, info) => {
          unfollow.push(this.#followers.follow(info.id, info.id, follower))
          return (this.#options.before ?? before)?.(call, info)
        },
      }),
      onOutcome: (outcome, place) => {
        tellListener('onOutcome', onOutcome, outcome, place)
        const told = outcomeJson(whyAborted(outcome, own))
        ended[place] = told
        follower?.outcome?.(told)
      },
    }
    let hasBegun = false
    const start = (): Promise<ErrorData | undefined> => {
      hasBegun = true
      return this.#tools[strategy](only, options).then(() => undefined, errorData)
    }
    const running = this.#admission.run(start, signal, concurrency)
    const answerNow = (): ErrorData | undefined => {
      for (const [place, call] of only.entries())
        ended[place] ??= goesOn(globalThis.crypto.randomUUID(), call, signal)
      return ended.find(({ error }) => error?.code === 'interrupted')?.error
    }
    try {
      const error = writes ? await orWhenStopped(running, signal, () => hasBegun, answerNow) : await running
      return { strategy, outcomes: ended, ...(error && { error }) }
    } finally {
      for (const each of unfollow) each()
    }
  }

  /** Runs one of several independent Calls: a refusal becomes its Outcome, so that the others keep theirs. */
  async #runOfGroup(requested: RequestedCall, request: CallRequest, asker: Asker): Promise<EndInGroup> {
    try {
      return { outcome: await this.runOne(requested, request, asker) }
    } catch (error) {
      if (!(error instanceof ServerProblem)) throw error
      const outcome = refusedOutcome(requested, error)
      asker.follower?.outcome?.(outcome)
      return { outcome, refusal: error }
    }
  }

  /**
   * Returns the number of the first attempt here for an attempt of the caller, after all that earlier ones may have had
   * here: each has a number of its own wherever it is sent on to, so that none gets the failure of another.
   */
  #firstAttempt(attempt: number): number {
    const { attempts = 1 } = this.#options.retry ?? stateBehind(this.#tools)?.defaults.retry ?? {}
    return Math.min((attempt - 1) * attempts + 1, mostAttempts)
  }

  #effectsOf(call: Call): string | undefined {
    const name: unknown = Object.hasOwn(call, '_tool') ? call._tool : undefined
    return typeof name === 'string' ? this.#tools.get(name)?.effects : undefined
  }

  #runOptions(
    { context, references, variantKey }: Pick<CallRequest, 'context' | 'references' | 'variantKey'>,
    principal: Principal | undefined,
    signal: StopSignal | undefined,
    id?: string,
  ): RunOptions {
    return {
      variantKey,
      ...this.#options,
      context,
      timeout: Math.min(this.#limits.callTime, timeoutOf(this.#tools) ?? this.#limits.callTime),
      references: references ? undefined : false,
      principal,
      id,
      // A run only uses the members of a signal that a StopSignal has.
      signal: signal as AbortSignal | undefined,
    }
  }
}

/** Separates the ids of different callers: the encoded caller contains no slash, so the first slash ends it. */
function keyOf(id: string, principal: Principal | undefined): string {
  return principal ? `${encodeURIComponent(principal.id)}/${id}` : id
}

/** True for a Call whose meaning depends on the context. */
function readsContext(call: Call, { references }: Pick<CallRequest, 'references'>): boolean {
  return references && canonicalJson(call).includes('†')
}

/** Builds the Outcome of a Call that the server did not start. */
function refusedOutcome({ call, id }: RequestedCall, { code, message }: ServerProblem): OutcomeJson {
  const now = Date.now()
  return {
    id: id ?? globalThis.crypto.randomUUID(),
    call,
    tool: typeof call._tool === 'string' ? call._tool : '',
    mode: 'explicit',
    delegated: false,
    status: 'refused',
    error: { name: 'ServerProblem', code, message },
    appended: [],
    attempts: 0,
    startedAt: now,
    endedAt: now,
  }
}

/** Converts the error of a strategy to data. */
function errorData(error: unknown): ErrorData {
  if (isCallsheetError(error)) return error.toJSON()
  if (error instanceof AggregateError) {
    const reasons = error.errors.map((each) => (isCallsheetError(each) ? each.message : 'unknown')).join('; ')
    const message = reasons === '' ? error.message : `Every Call failed: ${reasons}`
    return { name: 'AggregateError', code: 'activity_failed', message }
  }
  throw error
}
