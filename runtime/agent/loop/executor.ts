import { asError } from '../../call/call-errors.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Call, Message } from '../../context/message.ts'
import { isJsonObject } from '../../json/json.ts'
import { withMethods } from '../../problems/field-rule.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import type { Effects } from '../../schema/schema.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Spent } from './meter.ts'

/** The data that an executor receives with a Call; plain JSON. */
export interface DispatchPolicy {
  /** `call`, or a `request` or the `approval` of a plan, which are dispatched in the same way. */
  readonly kind: 'call' | 'request' | 'approval'
  /** The context of the Call. */
  readonly context: readonly Message[]
  /** The Tool's `effects`, which decide whether an engine may retry it. */
  readonly effects?: Effects | undefined
  /** The deadline of the run, in epoch milliseconds. */
  readonly deadline?: number | undefined
  /** For a Request: Calls of earlier turns that still wait for their References. */
  readonly waiting?: readonly Call[] | undefined
  /** For a Request with native tools: the earlier turns. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** For a Call: it was approved as part of a plan, and needs no further approval. */
  readonly isApproved?: boolean | undefined
  /** With `isApproved`: the contract that it was approved with. `perform` refuses the Call if its Tool has another one. */
  readonly approvedContract?: string | undefined
  /**
   * For a Call: it needs approval, or was approved in an earlier turn, since when its Tool may have changed. If another process
   * runs it, perform it here first with `asksOnly`.
   */
  readonly isAsked?: boolean | undefined
  /** For a Call, if some need approval: the effects of the Tools whose Calls need none. */
  readonly unasked?: readonly Effects[] | undefined
  /** For a Call: only check and confirm it, without running it; its Outcome contains what was `approved`. */
  readonly asksOnly?: boolean | undefined
  /** For a Call: once it runs, nothing aborts it. Set for a write that an engine records, since nobody would know how far it got. */
  readonly endsByItself?: boolean | undefined
  /** For an approval: the Calls that would run. */
  readonly plan?: readonly Call[] | undefined
}

/** An Outcome with additional data for the loop. */
export interface PerformedOutcome extends Outcome {
  /** Everything that the Call has spent: a delegate may run its own loop. */
  readonly spent?: Spent
  /** The Approval that the Call waits for; it has not run (REQ-9). */
  readonly approval?: Approval
  /** Of an approved plan: the contract of each Call, in its order. */
  readonly contracts?: readonly string[]
  /** With `asksOnly`: the approved Call, which is the given one with its References resolved, or its replacement. */
  readonly approved?: { readonly call: Call; readonly isResolved: boolean }
}

/** Performs one Call or Request in this process. Never rejects. */
export type Perform = (call: Call, key: string, policy: DispatchPolicy) => Promise<PerformedOutcome>

/** The result of one dispatched Call. */
export interface Settled {
  /** The key of its dispatch. */
  readonly id: string
  readonly outcome: PerformedOutcome
}

/**
 * The loop's interface to an engine (REQ-8a). The default runs everything in this process; a durable engine is an adapter that
 * implements these operations, with `perform` as the work of one step.
 */
export interface Executor<Handle = unknown> {
  /**
   * Starts a Call and returns at once.
   *
   * @param key `runId:callId`, or `runId:turn` for a Request; the same on every replay of the run.
   */
  dispatch(call: Call, key: string, policy: DispatchPolicy): Handle
  /** Waits for any of the dispatched Calls. The list belongs to the loop: read it during the wait, do not store it. */
  next(pending: readonly Handle[]): Promise<Settled>
  /** Returns epoch milliseconds; in a replay, those that the run saw. */
  now(): number
}

/**
 * Creates the executor of one run. `perform` does the work of a step in this process.
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

const [isExecutor, anExecutor] = withMethods(
  '{ dispatch, next, now }, three functions',
  'dispatch',
  'next',
  'now',
)

/**
 * Creates the executor of a run.
 *
 * @throws CallError `invalid_options` if the factory returns something else; ActivityError `activity_failed` if it throws.
 */
export function startExecutor(factory: ExecutorFactory, perform: Perform): Executor {
  const executor: unknown = calling('`executor`', () => factory(perform))
  if (!isExecutor(executor)) throw wrongAnswer('`executor`', anExecutor, executor)
  return executor as Executor
}

/** Returns the end of a run that may take `maxTime` milliseconds from now. @throws like {@link startExecutor}. */
export function deadlineAfter(maxTime: number | undefined, executor: Executor): number | undefined {
  if (maxTime === undefined) return undefined
  const now: unknown = calling('`executor.now`', () => executor.now())
  if (typeof now === 'number' && Number.isFinite(now)) return now + maxTime
  throw wrongAnswer('`executor.now`', 'epoch milliseconds', now)
}

function calling<Result>(what: string, call: () => Result): Result {
  try {
    return call()
  } catch (thrown) {
    throw asError(thrown, `${what} threw`)
  }
}

/** Waits for one of the dispatched Calls. @throws CallError `invalid_options` if the executor reports something else. */
export async function nextSettled<Handle>(
  executor: Executor<Handle>,
  pending: readonly Handle[],
): Promise<Settled> {
  const settled: unknown = await executor.next(pending)
  if (isJsonObject(settled) && isJsonObject(settled.outcome)) return settled as unknown as Settled
  throw wrongAnswer('`executor.next`', '{ id, outcome }, one of what was dispatched', settled)
}

interface Running {
  readonly key: string
  settled?: Settled
}

/** The default: Calls run as promises in this process, and are reported in the order in which they end. */
export const inProcessExecutor: ExecutorFactory = (perform): Executor<Running> => {
  let ended: Running[] = []
  /** The index of the first unreported result; the list is emptied when all are reported. */
  let first = 0
  /** The number of dispatched and unreported Calls. */
  let open = 0
  /** Wakes those that wait: several, where a program runs several groups at the same time. */
  let wakes: (() => void)[] = []
  const takeEnded = (pending: readonly Running[]): Settled | undefined => {
    // Usually all open Calls are waited for, so the first result is the right one.
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
        const waiting = wakes
        wakes = []
        for (const wake of waiting) wake()
      })
      return running
    },
    async next(pending) {
      for (;;) {
        const settled = takeEnded(pending)
        if (settled) return settled
        await new Promise<void>((resolve) => {
          wakes.push(resolve)
        })
      }
    },
    now: () => Date.now(),
  }
}
