import type { Outcome } from '../../call/outcome.ts'
import type { Call, Message } from '../../context/message.ts'
import type { Effects } from '../../schema/schema.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Spent } from './meter.ts'

/** What an executor is told about a Call besides the Call itself; plain JSON. */
export interface DispatchPolicy {
  /** A Call of a Tool; or a Request, or the question whether a plan may run, which go the same way. */
  readonly kind: 'call' | 'request' | 'approval'
  /** The Messages that it runs in. */
  readonly context: readonly Message[]
  /** What the Tool does to the world: whether an engine may do it again. */
  readonly effects?: Effects | undefined
  /** Epoch milliseconds by which the run has to be over. */
  readonly deadline?: number | undefined
  /** Of a Request: Calls of earlier turns that still wait for what they read. */
  readonly waiting?: readonly Call[] | undefined
  /** Of a Request through the provider's own tools: what was said in earlier turns. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** Of a Call: it was approved as part of a plan, and is not asked for again. */
  readonly isApproved?: boolean | undefined
  /** Of a Call: somebody is asked before it runs. Where it runs elsewhere, it is performed here first with `asksOnly`. */
  readonly isAsked?: boolean | undefined
  /** Of a Call: is checked and asked for, and does not run; its Outcome says what was `approved`. */
  readonly asksOnly?: boolean | undefined
  /** Of an approval: the Calls that would run. */
  readonly plan?: readonly Call[] | undefined
}

/** An Outcome with what only the loop needs to know. */
export interface PerformedOutcome extends Outcome {
  /** What the Call has spent: a delegate may run a loop of its own. */
  readonly spent?: Spent
  /** What the Call waits for; it has not run (REQ-9). */
  readonly approval?: Approval
  /** With `asksOnly`: what may run, which is the Call with its References resolved, or the one that takes its place. */
  readonly approved?: { readonly call: Call; readonly isResolved: boolean }
}

/** Performs one Call or Request in this process. Never rejects. */
export type Perform = (call: Call, key: string, policy: DispatchPolicy) => Promise<PerformedOutcome>

/** What came of one dispatched Call. */
export interface Settled {
  /** The key under which it was dispatched. */
  readonly id: string
  readonly outcome: PerformedOutcome
}

/**
 * All that the loop knows of an engine (REQ-8a). The default runs everything in this process; a durable engine is an
 * adapter to these operations, with `perform` as the work of one step.
 */
export interface Executor<Handle = unknown> {
  /**
   * Starts a Call and returns at once.
   *
   * @param key `runId:callId`, or `runId:turn` for a Request; the same on every replay of the run.
   */
  dispatch(call: Call, key: string, policy: DispatchPolicy): Handle
  /** Waits for any of what was dispatched. The list is the loop's own: look at it during the wait, do not keep it. */
  next(pending: readonly Handle[]): Promise<Settled>
  /** Epoch milliseconds; a replay gives what the run saw. */
  now(): number
}

/**
 * Makes the executor of one run. `perform` does the work in this process, for engines that have none elsewhere.
 *
 * @example
 * const durable: ExecutorFactory = (perform) => ({
 *   dispatch: (call, key, policy) => ({ key, done: engine.step(key, () => perform(call, key, policy)) }),
 *   next: (pending) => engine.firstOf(pending.map(({ key, done }) => done.then((outcome) => ({ id: key, outcome })))),
 *   now: () => engine.now(),
 * })
 */
// biome-ignore lint/suspicious/noExplicitAny: a handle is opaque to the loop, and its type is the executor's own
export type ExecutorFactory = (perform: Perform) => Executor<any>

interface Running {
  readonly key: string
  settled?: Settled
}

/** The default: Calls run as promises of this process, and are told in the order in which they end. */
export const inProcessExecutor: ExecutorFactory = (perform): Executor<Running> => {
  let ended: Running[] = []
  /** Where the first stands that was not told; the list is emptied when all were. */
  let first = 0
  /** Dispatched and not told. */
  let open = 0
  let wake: (() => void) | undefined
  const take = (pending: readonly Running[]): Settled | undefined => {
    // As a rule everything open is waited for, so that the first that ended is the one.
    const at =
      pending.length === open
        ? first
        : ended.findIndex((each, index) => index >= first && pending.includes(each))
    const running = ended[at]
    if (!running) return undefined
    if (at === first) first++
    else ended.splice(at, 1)
    if (first === ended.length) {
      ended = []
      first = 0
    }
    open--
    return running.settled
  }
  return {
    dispatch(call, key, policy) {
      const running: Running = { key }
      open++
      void perform(call, key, policy).then((outcome) => {
        running.settled = { id: key, outcome }
        ended.push(running)
        wake?.()
      })
      return running
    },
    async next(pending) {
      for (;;) {
        const settled = take(pending)
        if (settled) return settled
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    now: () => Date.now(),
  }
}
