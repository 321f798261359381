import type { Outcome } from '../call/outcome.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { Call } from '../context/message.ts'
import { type ErrorData, isCallsheetError } from '../errors.ts'
import { isSameJson } from '../json/same-json.ts'
import { isRepeatable } from '../schema/effects.ts'
import type { Admission } from './admission.ts'
import type { CallRequest, RequestedCall, Strategy } from './call-request.ts'
import type { Principal } from './gate.ts'
import type { ServerLimits } from './limits.ts'
import type { OutcomeJson } from './outcome-store.ts'
import { type OnceRunner, toJson } from './run-once.ts'
import type { ServableTool } from './served-tools.ts'

/** What a group came to: `error` where its strategy failed. */
export interface GroupResult {
  readonly strategy: Strategy
  readonly outcomes: readonly OutcomeJson[]
  readonly error?: ErrorData
}

/** What somebody who follows a request is told as it happens. */
export interface Follower {
  progress?(event: { readonly id: string; readonly tool: string; readonly data: unknown }): void
  outcome?(outcome: OutcomeJson): void
}

/** Options of every Call that a server runs: what `Tool.run` takes, but for what the request decides. */
export type ServedRunOptions = Omit<RunOptions, 'signal' | 'id' | 'context' | 'references' | 'timeout'>

/** Runs the Calls of requests: within the limits, each id once, for the one who asks. */
export class CallRunner {
  readonly #tools: ServableTool
  readonly #limits: ServerLimits
  readonly #admission: Admission
  readonly #once: OnceRunner
  readonly #options: ServedRunOptions
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #stopListening: () => void

  constructor(
    tools: ServableTool,
    limits: ServerLimits,
    admission: Admission,
    once: OnceRunner,
    options: ServedRunOptions,
  ) {
    this.#tools = tools
    this.#limits = limits
    this.#admission = admission
    this.#once = once
    this.#options = options
    this.#stopListening = tools.on('activity:progress', ({ id, tool, data }) => {
      for (const follower of this.#followers.get(id) ?? []) follower.progress?.({ id, tool, data })
    })
  }

  close(): void {
    this.#stopListening()
  }

  /** Runs one Call to its Outcome. */
  async runOne(
    { call, id: given }: RequestedCall,
    request: Pick<CallRequest, 'context' | 'references'>,
    principal: Principal | undefined,
    signal: AbortSignal,
    follower: Follower = {},
  ): Promise<OutcomeJson> {
    const effects = this.#effectsOf(call)
    // What a write has begun it ends: nobody could tell otherwise how far it came.
    const own = effects === 'write' ? undefined : signal
    const id = given === undefined ? globalThis.crypto.randomUUID() : `${principal?.id ?? ''}/${given}`
    const followers = this.#followers.get(id) ?? new Set()
    this.#followers.set(id, followers.add(follower))
    const run = (runSignal: AbortSignal | undefined): Promise<Outcome> =>
      this.#admission.run(
        () => this.#tools.run(call, { ...this.#runOptions(request, principal, runSignal), id }),
        signal,
      )
    try {
      const outcome =
        given === undefined
          ? toJson(await run(own))
          : await this.#once.run({
              key: id,
              call,
              isRepeatable: isRepeatable(effects),
              signal,
              run: (shared) => run(effects === 'write' ? undefined : shared),
            })
      // The caller knows the Call by the id that it gave.
      const named = given === undefined ? outcome : { ...outcome, id: given }
      follower.outcome?.(named)
      return named
    } finally {
      followers.delete(follower)
      if (followers.size === 0) this.#followers.delete(id)
    }
  }

  /** Runs a group. Each for itself: every Call has an Outcome. Otherwise as `Tool.all`, `any` and `race` do. */
  async runGroup(
    request: CallRequest & { readonly strategy: Strategy },
    principal: Principal | undefined,
    signal: AbortSignal,
    follower: Follower = {},
  ): Promise<GroupResult> {
    const { calls, strategy } = request
    if (strategy === 'each') {
      const outcomes = await Promise.all(
        calls.map((call) => this.runOne(call, request, principal, signal, follower)),
      )
      return { strategy, outcomes }
    }
    const ended: Outcome[] = []
    const writes = calls.some(({ call }) => this.#effectsOf(call) === 'write')
    const options: GroupOptions = {
      ...this.#runOptions(request, principal, writes ? undefined : signal),
      concurrency: this.#limits.concurrency,
      after: async (outcome) => {
        const replaced = await this.#options.after?.(outcome)
        ended.push(replaced ?? outcome)
        follower.outcome?.(toJson(replaced ?? outcome))
        return replaced
      },
    }
    const only = calls.map(({ call }) => call)
    const error = await this.#admission.run(
      () => this.#tools[strategy](only, options).then(() => undefined, errorData),
      signal,
    )
    return { strategy, outcomes: inOrderOf(only, ended).map(toJson), ...(error && { error }) }
  }

  #effectsOf(call: Call): string | undefined {
    const name: unknown = Object.hasOwn(call, '_tool') ? call._tool : undefined
    return typeof name === 'string' ? this.#tools.get(name)?.effects : undefined
  }

  #runOptions(
    { context, references }: Pick<CallRequest, 'context' | 'references'>,
    principal: Principal | undefined,
    signal: AbortSignal | undefined,
  ): RunOptions {
    return {
      ...this.#options,
      context,
      timeout: this.#limits.callTime,
      ...(!references && { references: false as const }),
      ...(principal && { principal }),
      ...(signal && { signal }),
    }
  }
}

/** Outcomes in the order of their Calls; equal Calls are interchangeable. */
function inOrderOf(calls: readonly Call[], outcomes: readonly Outcome[]): Outcome[] {
  const left = [...outcomes]
  return calls.flatMap((call) => {
    const place = left.findIndex((outcome) => isSameJson(outcome.call, call))
    return place < 0 ? [] : left.splice(place, 1)
  })
}

/** What a strategy failed with, as data. */
function errorData(error: unknown): ErrorData {
  if (isCallsheetError(error)) return error.toJSON()
  if (error instanceof AggregateError) {
    const reasons = error.errors.map((each) => (isCallsheetError(each) ? each.message : 'unknown')).join('; ')
    return { name: 'AggregateError', code: 'activity_failed', message: `Every Call failed: ${reasons}` }
  }
  throw error
}
