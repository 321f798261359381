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
import { Cancellation, follow } from '../controls/cancellation.ts'
import type { Outcome } from '../outcome.ts'
import { ownOutcome } from '../own-outcome.ts'
import type { RegistryState } from '../registry-state.ts'
import { failureOf } from '../run/branch-error.ts'
import { makeOutcome, toolNameOf } from '../run/make-outcome.ts'
import { applyAfterHook, startAccepted } from '../run/run-call.ts'
import type { GroupOptions } from '../run-options.ts'
import type { CallGroup } from './call-group.ts'
import { mapWithLimit } from './map-with-limit.ts'

/** The result of a group. */
interface Settled {
  /** The Outcomes whose outputs are returned and whose Messages are appended to the context. */
  readonly winners: readonly Outcome[]
  /** What the group throws instead. */
  readonly failure?: unknown
}

type RunStrategy = (state: RegistryState, calls: readonly Call[], options: GroupOptions) => Promise<unknown>

/** The implementations of `Tool.all`, `Tool.any` and `Tool.race`. */
export const strategies: Readonly<Record<'all' | 'any' | 'race', RunStrategy>> = {
  all: runAll,
  any: runAny,
  race: runRace,
}

/**
 * Runs all Calls or fails as a whole (CALL-4): every Call is checked before any starts; on the first failure the others
 * are aborted and nothing is written.
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
 * Returns the output of the first Call to succeed (CALL-5); the others are aborted, and only the winner writes.
 *
 * @throws AggregateError with every error, in the order of the Calls, if none succeeds.
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

/** Returns the output of the first Call to settle, or throws its error (CALL-5); the others are aborted. */
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
  /** Runs every Call and passes each Outcome to `onSettled` as it comes; resolves in the order of the Calls. */
  run(onSettled: (outcome: Outcome) => void): Promise<Outcome[]>
  cancel(why: string): void
  /** Ends every Call without running it, and returns `reason`. */
  abandon(reason: CallsheetError): Promise<CallsheetError>
}

/**
 * Runs the part that all strategies share: acceptance, cancellation and the concurrency limit. Messages are appended
 * and `call:end` is emitted only after the strategy has decided who won.
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
  const hasListeners = state.events.has('call:end')
  const { signal, onOutcome, ...own } = options
  const notify = (outcome: Outcome, place: number): void => {
    if (onOutcome) tellListener('onOutcome', onOutcome, ownOutcome(outcome), place)
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
        outcomes = await mapWithLimit(options.concurrency, accepted, (each, place, onEnd, onDefect) => {
          const settle = (outcome: Outcome): void => {
            notify(outcome, place)
            // Before `onEnd`, which starts the next Call: that must not happen if this Outcome decides the group.
            onSettled(outcome)
            onEnd(place, outcome)
          }
          startAccepted(each, group, settle, onDefect)
        })
        return outcomes
      },
      cancel: (why) => cancellation.cancel(new ActivityError('aborted', why)),
      async abandon(reason) {
        const others = new ActivityError('aborted', 'Another Call of the group was not valid.', {
          cause: reason,
        })
        outcomes = await Promise.all(
          accepted.map(async (each, place) => {
            const outcome = await endWithoutRunning(each, each.error ?? others)
            notify(outcome, place)
            return outcome
          }),
        )
        return reason
      },
    })
    const { winners, failure } = appendWinners(settled, options)
    if (hasListeners) emitEnds(state, outcomes, winners)
    if (failure !== undefined) throw failure
    return winners
  } finally {
    unfollow()
  }
}

/** Returns false for a Call whose checks are still being loaded, or whose hook `before` runs. */
function isAccepted(call: AcceptedCall | Promise<AcceptedCall>): call is AcceptedCall {
  return !(call instanceof Promise)
}

/** Appends the Messages of all winners at once. If the context refuses them, the group fails. */
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

/** Emits `call:end` for each Outcome. Only winners have `appended` Messages: those of the others were not appended. */
function emitEnds(state: RegistryState, outcomes: readonly Outcome[], winners: readonly Outcome[]): void {
  const writing = new Set(winners)
  for (const outcome of outcomes) {
    const copy = ownOutcome(outcome)
    state.events.emit('call:end', writing.has(outcome) ? copy : { ...copy, appended: [] })
  }
}

/** Refuses Tools declared `write`: what the Calls that lose wrote could not be undone (TOOL-9). */
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
  // A Tool that the client may not know of is not named here: its Call fails with `unknown_tool` (SERVE-6).
  const { context, principal } = options
  const visible = principal === undefined ? writing : enabledTools(state, writing, context, principal)
  if (visible.length === 0) return
  const names = visible.map(({ facts }) => `"${facts.name}"`)
  throw new CallError(
    'unsafe_strategy',
    `Tool.${strategy} was given ${listSome(names, 10, ', ')}, declared effects: 'write'. What a loser wrote cannot be undone: use Tool.all, or pass { allowEffects: true }.`,
  )
}

/** Does the same for a Call that a hook put in place of a harmless one. */
function refuseWrite({ entry }: PreparedCall): void {
  const { name, effects } = entry.facts
  if (effects !== 'write') return
  throw new CallError(
    'unsafe_strategy',
    `A hook put a Call of "${name}", declared effects: 'write', into Tool.any or Tool.race. What a loser wrote cannot be undone: to allow it, pass { allowEffects: true }.`,
  )
}

/** Creates the Outcome of a Call that ends without having run. */
function endWithoutRunning(accepted: AcceptedCall, error: CallsheetError): Promise<Outcome> {
  const outcome = makeOutcome(accepted, { attempts: 0, error, appended: [] })
  return applyAfterHook(outcome, accepted.run.options, true)
}
