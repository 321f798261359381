import { doNothing } from '../call/controls/cancellation.ts'
import type { Outcome } from '../call/outcome.ts'
import type { Call, Message } from '../context/message.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { shortDigest } from './contract-hash.ts'
import { Ending, type StopSignal } from './ending.ts'
import { atMost, inTime } from './in-time.ts'
import { interruptedOutcome } from './interrupted-outcome.ts'
import { KeyTurns } from './key-turns.ts'
import type { ServerLimits } from './limits.ts'
import { type OutcomeJson, outcomeJson } from './outcome-json.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { ServerProblem } from './problem-response.ts'
import { requireClaim } from './require-claim.ts'

/** Interval in milliseconds at which a Call that runs in another process is polled. */
const askEvery = 100

/** Milliseconds until a store that did not accept a result is told again: at first, and at most. */
const firstRetry = 250
const longestRetry = 60_000

/** Milliseconds within which the results of Calls that a closing server aborts are stored. */
const lastResults = 500

/** A Call to run once. */
export interface OnceOptions {
  /** The key: the caller and the Call's id. */
  readonly key: string
  readonly call: Call
  /** The context, if the Call reads it: in another context it is a different Call. */
  readonly reads: readonly Message[] | undefined
  /** True if the Tool may run again although it is unknown whether it did. */
  readonly isRepeatable: boolean
  /** The same of the Tool that has run: a hook may have replaced the Call by one of another Tool. */
  readonly mayRepeat: (tool: string) => boolean
  readonly signal: StopSignal
  readonly run: (signal: StopSignal) => Promise<Outcome>
}

/** The result of a Call that runs once. */
export interface OnceResult {
  readonly outcome: OutcomeJson
  /** True if the Call was over before it was asked for. */
  readonly wasOver: boolean
}

type Telling = () => void | Promise<void>

interface Running {
  readonly outcome: Promise<OutcomeJson>
  readonly ending: Ending
  waiting: number
}

/** The state of a Call: finished, running in this process, or in another. */
type Found =
  | { readonly at: 'end'; readonly outcome: OutcomeJson }
  | { readonly at: 'start' | 'here'; readonly running: Running }
  | { readonly at: 'elsewhere' }

/**
 * Runs Calls by id, each once however often it is requested (SERVE-5). Requests while it runs wait for the same
 * Outcome; later ones get it from the store. When all its clients have left, it is aborted.
 */
export class OnceRunner {
  readonly #store: OutcomeStore
  readonly #limits: Pick<ServerLimits, 'waiters' | 'callTime' | 'hookTime'>
  readonly #report: (error: unknown) => void
  readonly #running = new Map<string, Running>()
  /** Number of requests that wait for another request's run of a key. */
  readonly #waiters = new Map<string, number>()
  /** Results that the store failed to accept; their Calls count as running, so that they do not run again. */
  readonly #untold = new Map<string, Telling>()
  #retry: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  /** Serialises operations per key, so that the store and this object stay consistent. */
  readonly #turns = new KeyTurns()

  /** @param report Receives errors of the store after a Call ran; the caller gets its Outcome nevertheless. */
  constructor(
    store: OutcomeStore,
    limits: Pick<ServerLimits, 'waiters' | 'callTime' | 'hookTime'>,
    report: (error: unknown) => void,
  ) {
    this.#store = store
    this.#limits = limits
    this.#report = report
  }

  /**
   * @throws ServerProblem `idempotency_conflict` for another Call under a used id; `busy` if too many requests wait for one id, or
   * another process does not finish.
   */
  async run(options: OnceOptions): Promise<OnceResult> {
    const { key, call, reads, signal } = options
    const hashed = shortDigest(canonicalJson(reads ? [call, reads] : call))
    const latest = performance.now() + this.#limits.callTime
    for (let wasOver = true; ; wasOver = false) {
      // Hash within the key's turn, so that of two requests under one id the first one wins.
      const found = await this.#turns.take(key, async () => this.#find(options, await hashed))
      if (found.at === 'end') return { outcome: found.outcome, wasOver }
      if (found.at === 'start') return { outcome: await this.#join(found.running, signal), wasOver: false }
      if (found.at === 'here') {
        const isOver = wasOver && this.#untold.has(key)
        const outcome = await this.#waitFor(key, () => this.#joinLate(found.running, options))
        if (outcome) return { outcome, wasOver: isOver }
      } else {
        // Whoever left does not read this, and who waits while the server closes may ask another one.
        if (performance.now() >= latest || signal.aborted) throw stillRunning()
        await this.#waitFor(key, () => pause(askEvery))
      }
    }
  }

  /** Waits for the results of Calls that were just aborted, and tells the store what it has not accepted yet. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const running = [...this.#running.values()]
    if (running.length > 0) {
      await atMost(lastResults, (done) => {
        void Promise.allSettled(running.map(({ outcome }) => outcome)).then(done)
      })
    }
    await this.#tellAgain()
  }

  async #find(options: OnceOptions, fingerprint: string): Promise<Found> {
    const { key, isRepeatable } = options
    const untold = this.#untold.get(key)
    if (untold) await this.#tell(key, untold)
    const claim = requireClaim(await this.#claim(options, fingerprint))
    if ('fingerprint' in claim) requireSame(claim.fingerprint, fingerprint)
    const running = this.#running.get(key)
    if (running) return { at: 'here', running }
    if (claim.status === 'finished') return { at: 'end', outcome: claim.outcome }
    if (claim.status === 'running') return { at: 'elsewhere' }
    if (claim.status === 'claimed' || isRepeatable) return { at: 'start', running: this.#begin(options) }
    const outcome = interrupted(options)
    await this.#tell(key, () => this.#store.finish(key, outcome))
    return { at: 'end', outcome }
  }

  async #claim(options: OnceOptions, fingerprint: string): Promise<unknown> {
    const { key, isRepeatable } = options
    let claiming: unknown
    const claim = (): unknown => {
      claiming = this.#store.claim(key, fingerprint)
      return claiming
    }
    try {
      return await this.#inTime(claim)
    } catch (error) {
      // The store answered too late and nothing runs: release the key it may have given us.
      const giveBack = (said: unknown): unknown => {
        const { status, fingerprint: kept } = isJsonObject(said) ? said : {}
        const isSame = status === 'abandoned' && kept === fingerprint
        if (status === 'claimed' || (isSame && isRepeatable)) {
          return this.#tell(key, () => this.#store.release(key))
        }
        // Work that broke off in the middle must not run again.
        return isSame && this.#tell(key, () => this.#store.finish(key, interrupted(options)))
      }
      // Within the key's turn, so that the key of a concurrent request is not released.
      const inTurn = (said: unknown): Promise<unknown> => this.#turns.take(key, async () => giveBack(said))
      Promise.resolve(claiming).then(inTurn, doNothing)
      throw error
    }
  }

  #inTime<Said>(ask: () => Said | Promise<Said>): Said | Promise<Said> {
    return inTime(ask, this.#limits.hookTime, 'The store')
  }

  async #waitFor<Result>(key: string, wait: () => Promise<Result>): Promise<Result> {
    const waiters = this.#waiters.get(key) ?? 0
    if (waiters >= this.#limits.waiters) {
      throw new ServerProblem(
        'busy',
        `The Call of this id runs, and ${waiters} requests wait for it. Ask again when it has ended.`,
        { headers: { 'retry-after': '1' } },
      )
    }
    this.#waiters.set(key, waiters + 1)
    try {
      return await wait()
    } finally {
      const left = (this.#waiters.get(key) ?? 1) - 1
      if (left > 0) this.#waiters.set(key, left)
      else this.#waiters.delete(key)
    }
  }

  #begin(options: OnceOptions): Running {
    const ending = new Ending()
    const running: Running = { outcome: this.#runAndKeep(options, ending), ending, waiting: 0 }
    this.#running.set(options.key, running)
    return running
  }

  async #runAndKeep(
    { key, run, isRepeatable, mayRepeat }: OnceOptions,
    signal: StopSignal,
  ): Promise<OutcomeJson> {
    let outcome: OutcomeJson
    try {
      outcome = outcomeJson(await run(signal))
    } catch (error) {
      // It never started: the server was busy, or is closing.
      await this.#turns.take(key, () => this.#tell(key, () => this.#store.release(key)))
      throw error
    }
    // A client whose connection broke repeats the request under the same id, and must not get the abort that its leaving caused.
    const isForgotten = (signal.aborted && isRepeatable && mayRepeat(outcome.tool)) || neverBegan(outcome)
    const telling: Telling = () => (isForgotten ? this.#store.release(key) : this.#store.finish(key, outcome))
    await this.#turns.take(key, () => this.#tell(key, telling))
    return outcome
  }

  /** Reports the result of a key to the store. If it fails, this is repeated later, or with the next request for the key. */
  async #tell(key: string, telling: Telling): Promise<void> {
    try {
      await this.#inTime(telling)
    } catch (error) {
      this.#report(error)
      // At the end, so that a result that no store would accept does not hold up the others.
      this.#untold.delete(key)
      this.#untold.set(key, telling)
      this.#retryIn(firstRetry)
      return
    }
    this.#untold.delete(key)
    this.#running.delete(key)
  }

  /** Tells the store again after a while, unless that is planned already; each time twice as late. */
  #retryIn(time: number): void {
    if (this.#isClosed || this.#retry !== undefined || this.#untold.size === 0) return
    this.#retry = setTimeout(async () => {
      await this.#tellAgain()
      this.#retry = undefined
      this.#retryIn(Math.min(2 * time, longestRetry))
    }, time)
    // The timer must not keep the process alive.
    if (typeof this.#retry === 'object') this.#retry.unref()
  }

  /** Tells the store all results that it did not accept, up to the first that it does not accept now. */
  async #tellAgain(): Promise<void> {
    for (const key of [...this.#untold.keys()]) {
      await this.#turns.take(key, async () => {
        const telling = this.#untold.get(key)
        if (telling) await this.#tell(key, telling)
      })
      if (this.#untold.has(key)) return
    }
  }

  /**
   * Waits for the Call of another request.
   *
   * @returns undefined if all its clients left, so that it was not started or was stopped: the waiting request then starts anew.
   */
  async #joinLate(
    running: Running,
    { key, isRepeatable, signal }: OnceOptions,
  ): Promise<OutcomeJson | undefined> {
    try {
      const wasLeft = isRepeatable && running.ending.aborted
      const outcome = await this.#join(running, signal)
      if (!wasLeft) return outcome
    } catch (error) {
      if (!running.ending.aborted || signal.aborted) throw error
    }
    if (this.#untold.has(key)) throw stillRunning()
    return undefined
  }

  async #join(running: Running, signal: StopSignal): Promise<OutcomeJson> {
    running.waiting += 1
    const leave = (): void => {
      running.waiting -= 1
      if (running.waiting === 0) running.ending.abort(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    try {
      return await running.outcome
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}

/**
 * True for a Call that failed before its first attempt: invalid, unknown, without an implementation. Its id is free for
 * the corrected one, and the same Call may run once its server can. A refusal is kept, since somebody may have decided
 * it.
 */
function neverBegan({ status, attempts }: OutcomeJson): boolean {
  return attempts === 0 && (status === 'failed' || status === 'aborted')
}

/**
 * Builds the Outcome of a Call whose process died in the middle, or whose own was dropped: its effects are unknown, and running it
 * again could repeat them.
 */
function interrupted({ key, call }: OnceOptions): OutcomeJson {
  return interruptedOutcome(
    key,
    call,
    'The process that ran this Call died before it ended, or its Outcome was too large to keep.',
  )
}

/** Limits the wait for another process: no Call may run longer than the server's time limit. */
function stillRunning(): ServerProblem {
  return new ServerProblem('busy', 'The Call of this id runs elsewhere, or has not been told to be over.', {
    headers: { 'retry-after': '1' },
  })
}

function requireSame(kept: string, given: string): void {
  if (kept === given) return
  throw new ServerProblem(
    'idempotency_conflict',
    'This id belongs to another Call, which runs or has ended. Give each Call an id of its own.',
  )
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, time)
  })
}
