import type { Outcome } from '../call/outcome.ts'
import type { Call, Message } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { hashOf } from './contract-hash.ts'
import { Ending, type StopSignal } from './ending.ts'
import type { ServerLimits } from './limits.ts'
import type { OutcomeJson, OutcomeStore } from './outcome-store.ts'
import { ServerProblem } from './problem-response.ts'

/** How often somebody who waits for another process asks how it goes, in milliseconds. */
const askEvery = 100

/** One Call to run once. */
export interface OnceOptions {
  /** The key: who asks, and the Call's id. */
  readonly key: string
  readonly call: Call
  /** The Messages that its References read, where it has any: in another context it is another Call. */
  readonly reads: readonly Message[] | undefined
  /** True for a Tool that may run again when nobody knows whether it did. */
  readonly isRepeatable: boolean
  readonly signal: StopSignal
  readonly run: (signal: StopSignal) => Promise<Outcome>
}

interface Running {
  readonly outcome: Promise<OutcomeJson>
  readonly ending: Ending
  waiting: number
}

/**
 * Runs Calls by their ids, each once however often it is asked for (SERVE-5): whoever asks while it runs waits for the same
 * Outcome, whoever asks later gets it from the store. When all who asked have gone, it is aborted.
 */
export class OnceRunner {
  readonly #store: OutcomeStore
  readonly #mostWaiters: number
  readonly #running = new Map<string, Running>()
  /** How many wait for somebody else's run of a key. */
  readonly #waiters = new Map<string, number>()

  constructor(store: OutcomeStore, { waiters }: Pick<ServerLimits, 'waiters'>) {
    this.#store = store
    this.#mostWaiters = waiters
  }

  /**
   * @throws ServerProblem `idempotency_conflict` for another Call under an id that was used; `busy` where too many wait for one
   * id already.
   */
  async run(options: OnceOptions): Promise<OutcomeJson> {
    const { call, reads } = options
    const fingerprint = await hashOf(canonicalJson(reads ? [call, reads] : call))
    for (;;) {
      const here = this.#running.get(options.key)
      if (here && options.isRepeatable && here.ending.aborted) {
        // Everybody who asked has left: it ends now, and is forgotten.
        await here.outcome.catch(() => undefined)
        continue
      }
      if (here) {
        const claim = await this.#store.claim(options.key, fingerprint)
        if ('fingerprint' in claim) requireSame(claim.fingerprint, fingerprint)
        return this.#waitFor(options.key, () => this.#join(here, options.signal))
      }
      const claim = await this.#store.claim(options.key, fingerprint)
      if ('fingerprint' in claim) requireSame(claim.fingerprint, fingerprint)
      if (claim.status === 'finished') return claim.outcome
      if (claim.status === 'claimed' || (claim.status === 'abandoned' && options.isRepeatable)) {
        return this.#begin(options)
      }
      if (claim.status === 'abandoned') return this.#giveUp(options)
      if (!this.#running.has(options.key))
        await this.#waitFor(options.key, () => pause(askEvery, options.signal))
    }
  }

  async #waitFor<Result>(key: string, wait: () => Promise<Result>): Promise<Result> {
    const waiters = this.#waiters.get(key) ?? 0
    if (waiters >= this.#mostWaiters) {
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

  #begin(options: OnceOptions): Promise<OutcomeJson> {
    const { key, signal } = options
    const ending = new Ending()
    const running: Running = {
      outcome: this.#runAndKeep(options, ending),
      ending,
      waiting: 0,
    }
    this.#running.set(key, running)
    return this.#join(running, signal)
  }

  async #runAndKeep({ key, run, isRepeatable }: OnceOptions, signal: StopSignal): Promise<OutcomeJson> {
    try {
      const outcome = toJson(await run(signal))
      // A caller whose connection broke asks again under the same id, and is not to get the end that its leaving made.
      if (signal.aborted && isRepeatable) await this.#store.release(key)
      else await this.#store.finish(key, outcome)
      return outcome
    } catch (error) {
      // It never began: the server was busy, or is closing.
      await this.#store.release(key)
      throw error
    } finally {
      this.#running.delete(key)
    }
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

  /** Its process died in the middle. What it did cannot be known, and doing it again could do it twice. */
  async #giveUp({ key, call }: OnceOptions): Promise<OutcomeJson> {
    const now = Date.now()
    const error = new CallsheetError(
      'interrupted',
      'The process that ran this Call died before it ended. Whether it did its work is not known; look before you ask under another id.',
    )
    const outcome: OutcomeJson = {
      id: key,
      call,
      tool: String(call._tool),
      mode: 'explicit',
      delegated: false,
      status: 'failed',
      error: error.toJSON(),
      appended: [],
      attempts: 1,
      startedAt: now,
      endedAt: now,
    }
    await this.#store.finish(key, outcome)
    return outcome
  }
}

/** An Outcome without stack and cause. */
export function toJson(outcome: Outcome): OutcomeJson {
  const { error } = outcome
  return error ? { ...outcome, error: error.toJSON() } : (outcome as Outcome & { readonly error?: never })
}

function requireSame(kept: string, given: string): void {
  if (kept === given) return
  throw new ServerProblem(
    'idempotency_conflict',
    'Another Call ran under this id. Give each Call an id of its own.',
  )
}

function pause(time: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new ServerProblem('bad_request', 'The caller went away.'))
      return
    }
    setTimeout(resolve, time)
  })
}
