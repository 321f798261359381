import { lazily } from '../../lazily.ts'
import type { AcceptedCall } from '../accept/accepted-call.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import type { RunOptions } from '../run-options.ts'
import { activeTracer, type CallTracer } from '../telemetry/tracer.ts'
import { type Finish, RunningCall } from './running-call.ts'

/** Loaded lazily: most processes have no such hook. */
const afterHook = lazily(() => import('../controls/after-hook.ts'))
/** Loaded lazily: most processes create no spans. */
const tracing = lazily(() => import('../telemetry/trace-call.ts'))

/**
 * Runs an accepted Call to its Outcome. Rejects only if `finish` throws. Appends nothing to the context: the caller
 * decides about that.
 *
 * @param finish Maps the Outcome to the result. A callback rather than a `.then`: another promise would cost as much as
 * all other work on an Outcome.
 */
export function runAccepted<Result>(accepted: AcceptedCall, finish: Finish<Result>): Promise<Result> {
  const { run } = accepted
  const tracer = activeTracer(run.options.telemetry)
  if (!tracer && !run.options.after) return new RunningCall(accepted, undefined, finish).runToResult()
  const running = new RunningCall(accepted, undefined, identity)
  return runWatched(running, accepted, tracer, false).then((outcome) => finish(outcome, run))
}

/**
 * Runs an accepted Call of a group. Takes callbacks instead of returning a promise: most of the cost of a group is the
 * memory that its Calls hold while they wait, and a promise for each cancellation was a sixth of that.
 *
 * @param onOutcome Called once, with the Outcome.
 * @param onDefect Called instead of `onOutcome` when no Outcome exists: a bug in Callsheet or in the tracer.
 */
export function startAccepted(
  accepted: AcceptedCall,
  group: CallGroup,
  onOutcome: (outcome: Outcome) => void,
  onDefect: (thrown: unknown) => void,
): void {
  const { options } = accepted.run
  const tracer = activeTracer(options.telemetry)
  if (!tracer && !options.after) {
    new RunningCall(accepted, group, onOutcome).start(onDefect)
    return
  }
  const running = new RunningCall(accepted, group, identity)
  runWatched(running, accepted, tracer, true).then(onOutcome).catch(onDefect)
}

/** Runs a Call in a span if there is a tracer, and then its hook `after` if it has one. */
async function runWatched(
  running: RunningCall<Outcome>,
  call: AcceptedCall,
  tracer: CallTracer | undefined,
  inGroup: boolean,
): Promise<Outcome> {
  const { state, options } = call.run
  const toOutcome = (): Promise<Outcome> => applyAfterHook(running.runToResult(), options, inGroup)
  if (!tracer) return toOutcome()
  const { captureContent = false } = options.telemetry || {}
  const { traceCall } = await tracing()
  return traceCall({ events: state.events, tracer, captureContent, call, run: toOutcome })
}

/**
 * Runs the hook `after`, if there is one, on the Outcome of a Call.
 *
 * @param inGroup True for a Call of a group.
 */
export async function applyAfterHook(
  pending: Outcome | Promise<Outcome>,
  { after }: RunOptions,
  inGroup: boolean,
): Promise<Outcome> {
  const outcome = await pending
  if (!after) return outcome
  const { runAfterHook } = await afterHook()
  return runAfterHook(after, outcome, inGroup)
}

/** The `finish` of runs that need the Outcome itself. */
export function identity(outcome: Outcome): Outcome {
  return outcome
}
