import { doNothing } from '../call/controls/cancellation.ts'
import type { Outcome } from '../call/outcome.ts'
import type { Call, Message } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import { shortDigest } from './contract-hash.ts'
import { Ending, type StopSignal } from './ending.ts'
import { inTime } from './in-time.ts'
import { KeyTurns } from './key-turns.ts'
import type { ServerLimits } from './limits.ts'
import { type OutcomeJson, outcomeJson } from './outcome-json.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { ServerProblem } from './problem-response.ts'
import { requireClaim } from './require-claim.ts'

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

type Telling = () => void | Promise<void>

interface Running {
  readonly outcome: Promise<OutcomeJson>
  readonly ending: Ending
  waiting: number
}

/** Where a Call is: over, in this process, or in another. */
type Found =
  | { readonly at: 'end'; readonly outcome: OutcomeJson }
  | { readonly at: 'start' | 'here'; readonly running: Running }
  | { readonly at: 'elsewhere' }

/**
 * Runs Calls by their ids, each once however often it is asked for (SERVE-5): whoever asks while it runs waits for the same
 * Outcome, whoever asks later gets it from the store. When all who asked have gone, it is aborted.
 */
export class OnceRunner {
  readonly #store: OutcomeStore
  readonly #limits: Pick<ServerLimits, 'waiters' | 'callTime' | 'hookTime'>
  readonly #report: (error: unknown) => void
  readonly #running = new Map<string, Running>()
  /** How many wait for somebody else's run of a key. */
  readonly #waiters = new Map<string, number>()
  /** What the store could not be told of a key; its Call stays among those that run, so that it does not run again. */
  readonly #untold = new Map<string, Telling>()
  /** Nobody asks for a key between what the store is told of it and what is remembered here. */
  readonly #turns = new KeyTurns()

  /** @param report Told where the store fails after a Call ran; the caller has its Outcome all the same. */
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
   * @throws ServerProblem `idempotency_conflict` for another Call under an id that was used; `busy` where too many wait for one
   * id already, or another process does not come to an end.
   */
  async run(options: OnceOptions): Promise<OutcomeJson> {
    const { key, call, reads, signal } = options
    const hashed = shortDigest(canonicalJson(reads ? [call, reads] : call))
    const latest = Date.now() + this.#limits.callTime
    for (;;) {
      // Hashed within its turn: of two under one id the first that came is the first.
      const found = await this.#turns.take(key, async () => this.#find(options, await hashed))
      if (found.at === 'end') return found.outcome
      if (found.at === 'start') return this.#join(found.running, signal)
      if (found.at === 'here') {
        const outcome = await this.#waitFor(key, () => this.#joinLate(found.running, options))
        if (outcome) return outcome
      } else {
        if (Date.now() >= latest) throw stillRunning()
        await this.#waitFor(key, () => pause(askEvery, signal))
      }
    }
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
    const claiming = this.#store.claim(key, fingerprint)
    try {
      return await this.#inTime(claiming)
    } catch (error) {
      // What it says too late it said to nobody, and nothing runs for it: what is ours by it is given back.
      const giveBack = (said: unknown): unknown => {
        const { status, fingerprint: kept } = isJsonObject(said) ? said : {}
        const isSame = status === 'abandoned' && kept === fingerprint
        if (status === 'claimed' || (isSame && isRepeatable)) {
          return this.#tell(key, () => this.#store.release(key))
        }
        // Whose work broke off in the middle is not to run again.
        return isSame && this.#tell(key, () => this.#store.finish(key, interrupted(options)))
      }
      // In its turn: the key of somebody who asks meanwhile is not to be given back under him.
      const inTurn = (said: unknown): Promise<unknown> => this.#turns.take(key, async () => giveBack(said))
      Promise.resolve(claiming).then(inTurn, doNothing)
      throw error
    }
  }

  #inTime<Said>(said: Said | Promise<Said>): Said | Promise<Said> {
    return inTime(said, this.#limits.hookTime, 'The store')
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

  async #runAndKeep({ key, run, isRepeatable }: OnceOptions, signal: StopSignal): Promise<OutcomeJson> {
    let outcome: OutcomeJson
    try {
      outcome = outcomeJson(await run(signal))
    } catch (error) {
      // It never began: the server was busy, or is closing.
      await this.#turns.take(key, () => this.#tell(key, () => this.#store.release(key)))
      throw error
    }
    // A caller whose connection broke asks again under the same id, and is not to get the end that its leaving made.
    const isForgotten = signal.aborted && isRepeatable
    const telling: Telling = () => (isForgotten ? this.#store.release(key) : this.#store.finish(key, outcome))
    await this.#turns.take(key, () => this.#tell(key, telling))
    return outcome
  }

  /** Tells the store what became of a key. What it fails to take is told again when somebody asks for the key. */
  async #tell(key: string, telling: Telling): Promise<void> {
    try {
      await this.#inTime(telling())
    } catch (error) {
      this.#report(error)
      this.#untold.set(key, telling)
      return
    }
    this.#untold.delete(key)
    this.#running.delete(key)
  }

  /**
   * Waits for what somebody else has asked for.
   *
   * @returns undefined where all of them left, so that it did not begin or was stopped: who is still here asks anew.
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

/** Its process died in the middle. What it did cannot be known, and doing it again could do it twice. */
function interrupted({ key, call }: OnceOptions): OutcomeJson {
  const now = Date.now()
  const error = new CallsheetError(
    'interrupted',
    'The process that ran this Call died before it ended. Whether it did its work is not known; look before you ask under another id.',
  )
  return {
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
}

/** No Call runs longer than it may: whoever waits for one that says it does is not kept waiting. */
function stillRunning(): ServerProblem {
  return new ServerProblem('busy', 'The Call of this id runs elsewhere, or has not been told to be over.', {
    headers: { 'retry-after': '1' },
  })
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
