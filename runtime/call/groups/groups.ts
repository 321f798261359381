import { appendAll } from '../../context/append-all.ts'
import type { Call } from '../../context/message.ts'
import { readTogether } from '../../context/read-together.ts'
import { ActivityError, CallError, type CallsheetError } from '../../errors.ts'
import { firstNearest } from '../../problems/nearest.ts'
import { listSome } from '../../problems/problem.ts'
import { tellListener } from '../../problems/tell-listener.ts'
import { acceptCall } from '../accept/accept-call.ts'
import type { AcceptedCall, PreparedCall } from '../accept/accepted-call.ts'
import { enabledTools } from '../accept/find-tool.ts'
import { isRecorded } from '../accept/is-recorded.ts'
import { asError } from '../call-errors.ts'
import { CallRun } from '../call-run.ts'
import { askAfter } from '../controls/ask-after.ts'
import { Cancellation, follow } from '../controls/cancellation.ts'
import type { Outcome } from '../outcome.ts'
import { ownOutcome } from '../own-outcome.ts'
import type { RegistryState } from '../registry-state.ts'
import { failureOf } from '../run/branch-error.ts'
import { makeOutcome, toolNameOf } from '../run/make-outcome.ts'
import { startAccepted } from '../run/run-call.ts'
import type { GroupOptions } from '../run-options.ts'
import type { CallGroup } from './call-group.ts'
import { eachWithin } from './each-within.ts'

/** How a group settles: its answer, and the Outcomes whose Messages reach the context. */
interface Settled {
  readonly winners: readonly Outcome[]
  readonly failure?: unknown
}

type RunStrategy = (state: RegistryState, calls: readonly Call[], options: GroupOptions) => Promise<unknown>

/** How a group of Calls runs. */
export const strategies: Readonly<Record<'all' | 'any' | 'race', RunStrategy>> = {
  all: runAll,
  any: runAny,
  race: runRace,
}

/**
 * All or nothing (CALL-4): every Call is checked before any starts; on the first failure the others are aborted and
 * nothing is written.
 *
 * @returns The outputs, in the order of the Calls.
 */
async function runAll(
  state: RegistryState,
  calls: readonly Call[],
  options: GroupOptions,
): Promise<unknown[]> {
  const winners = await runGroup(state, calls, options, false, async (group) => {
    const invalid = group.accepted.find((each) => each.error)
    if (invalid) return { winners: [], failure: await group.abandon(invalid.error as CallsheetError) }
    let failure: CallsheetError | undefined
    const outcomes = await group.run((outcome) => {
      failure ??= failureOf(outcome)
      if (failure) group.cancel('Another Call of the group failed.')
    })
    return failure ? { winners: [], failure } : { winners: outcomes }
  })
  return winners.map((outcome) => outcome.output)
}

/**
 * The first success (CALL-5); the others are aborted, and only the winner writes.
 *
 * @throws AggregateError with every reason, in the order of the Calls, when none succeeds.
 */
async function runAny(state: RegistryState, calls: readonly Call[], options: GroupOptions): Promise<unknown> {
  refuseWriteTools('any', state, calls, options)
  const winners = await runGroup(state, calls, options, !options.allowEffects, async (group) => {
    let winner: Outcome | undefined
    const outcomes = await group.run((outcome) => {
      if (winner || failureOf(outcome)) return
      winner = outcome
      group.cancel('Another Call of the group succeeded first.')
    })
    if (winner) return { winners: [winner] }
    const reasons = outcomes.map(failureOf)
    return { winners: [], failure: new AggregateError(reasons, `None of ${reasons.length} Calls succeeded.`) }
  })
  return winners[0]?.output
}

/** The first to settle, success or failure (CALL-5); the others are aborted. */
async function runRace(
  state: RegistryState,
  calls: readonly Call[],
  options: GroupOptions,
): Promise<unknown> {
  if (calls.length === 0) {
    throw new CallError(
      'invalid_call',
      'Tool.race needs at least one Call: a race of none would never settle.',
    )
  }
  refuseWriteTools('race', state, calls, options)
  const winners = await runGroup(state, calls, options, !options.allowEffects, async (group) => {
    let first: Outcome | undefined
    await group.run((outcome) => {
      if (first) return
      first = outcome
      group.cancel('Another Call of the group settled first.')
    })
    const failure = first && failureOf(first)
    return failure || !first ? { winners: [], failure } : { winners: [first] }
  })
  return winners[0]?.output
}

/** The Calls of one group while it runs. */
interface Group {
  readonly accepted: readonly AcceptedCall[]
  /** Runs every Call and tells of each Outcome as it settles; resolves in the order of the Calls. */
  run(onSettled: (outcome: Outcome) => void): Promise<Outcome[]>
  cancel(why: string): void
  /** Gives every Call its Outcome without running any; hands the reason back. */
  abandon(reason: CallsheetError): Promise<CallsheetError>
}

/**
 * What all three strategies share: acceptance, cancellation, concurrency, and that Messages are written, and Outcomes
 * reported, once the group is decided and not before.
 */
async function runGroup(
  state: RegistryState,
  calls: readonly Call[],
  options: GroupOptions,
  refusesWrites: boolean,
  strategy: (group: Group) => Promise<Settled>,
): Promise<readonly Outcome[]> {
  const cancellation = new Cancellation()
  const group: CallGroup = {
    cancellation,
    guess: firstNearest(),
    require: refusesWrites ? refuseWrite : undefined,
  }
  const unfollow = follow(cancellation, options.signal, undefined)
  const isHeard = state.events.has('call:end')
  const { signal, onOutcome, ...own } = options
  const told = (outcome: Outcome, place: number): Outcome => {
    if (onOutcome) tellListener('onOutcome', onOutcome, ownOutcome(outcome), place)
    return outcome
  }
  const callOptions = { ...own, context: readTogether(options.context) }
  let outcomes: Outcome[] = []
  try {
    const records = onOutcome !== undefined || isRecorded(state, callOptions)
    const accepting = calls.map((call) => acceptCall(new CallRun(state, callOptions, records), call, group))
    const accepted = accepting.every(isAccepted) ? accepting : await Promise.all(accepting)
    const settled = await strategy({
      accepted,
      async run(onSettled) {
        outcomes = await eachWithin(options.concurrency, accepted, (each, place, onEnd, onDefect) => {
          const onOutcome = (outcome: Outcome): void => {
            // Told before the place is free again: what waits for it must not start if this one decided the group.
            onSettled(told(outcome, place))
            onEnd(place, outcome)
          }
          startAccepted(each, group, onOutcome, onDefect)
        })
        return outcomes
      },
      cancel: (why) => cancellation.cancel(new ActivityError('aborted', why)),
      async abandon(reason) {
        const others = new ActivityError('aborted', 'Another Call of the group was not valid.', {
          cause: reason,
        })
        outcomes = await Promise.all(
          accepted.map(async (each, place) => told(await endUnrun(each, each.error ?? others), place)),
        )
        return reason
      },
    })
    const { winners, failure } = appendWinners(settled, options)
    if (isHeard) report(state, outcomes, winners)
    if (failure !== undefined) throw failure
    return winners
  } finally {
    unfollow()
  }
}

/** Most are there at once: their checks are loaded, and no hook is asked. */
function isAccepted(call: AcceptedCall | Promise<AcceptedCall>): call is AcceptedCall {
  return !(call instanceof Promise)
}

/** Appends what the winners add, all of it at once; a context that refuses it makes the group a failed one. */
function appendWinners(settled: Settled, { context }: GroupOptions): Settled {
  try {
    appendAll(
      context,
      settled.winners.flatMap((outcome) => outcome.appended),
    )
    return settled
  } catch (thrown) {
    return { winners: [], failure: asError(thrown, 'The context refused what the Calls add') }
  }
}

/** Outcomes of a group say what they really added: nothing, for those that did not win. */
function report(state: RegistryState, outcomes: readonly Outcome[], winners: readonly Outcome[]): void {
  const writing = new Set(winners)
  for (const outcome of outcomes) {
    const told = ownOutcome(outcome)
    state.events.emit('call:end', writing.has(outcome) ? told : { ...told, appended: [] })
  }
}

/** A loser cannot be undone (TOOL-9). */
function refuseWriteTools(
  strategy: 'any' | 'race',
  state: RegistryState,
  calls: readonly Call[],
  options: GroupOptions,
): void {
  if (options.allowEffects) return
  const called = Array.from(new Set(calls.map(toolNameOf)), (name) => state.tools.get(name) ?? [])
  const writing = called.flat().filter(({ facts }) => facts.effects === 'write')
  if (writing.length === 0) return
  // Of a Tool that is not there for who asks, the Call itself says that (SERVE-6).
  const { context, principal } = options
  const there = principal === undefined ? writing : enabledTools(state, writing, context, principal)
  if (there.length === 0) return
  const names = there.map(({ facts }) => `"${facts.name}"`)
  throw new CallError(
    'unsafe_strategy',
    `Tool.${strategy} was given ${listSome(names, 10, ', ')}, declared effects: 'write'. What a loser wrote cannot be undone: use Tool.all, or say { allowEffects: true }.`,
  )
}

/** Refuses a Call that writes too where a hook put it there, in the place of a harmless one. */
function refuseWrite({ entry }: PreparedCall): void {
  const { name, effects } = entry.facts
  if (effects !== 'write') return
  throw new CallError(
    'unsafe_strategy',
    `A hook put a Call of "${name}", declared effects: 'write', into Tool.any or Tool.race. What a loser wrote cannot be undone: say { allowEffects: true } to let it.`,
  )
}

/** The Outcome of a Call that ends without having run. */
function endUnrun(accepted: AcceptedCall, error: CallsheetError): Promise<Outcome> {
  return askAfter(makeOutcome(accepted, { attempts: 0, error, appended: [] }), accepted.run.options)
}
