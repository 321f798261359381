import { lazily } from '../../lazily.ts'
import type { AcceptedCall } from '../accept/accepted-call.ts'
import { askAfter } from '../controls/ask-after.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import { activeTracer, type CallTracer } from '../telemetry/tracer.ts'
import { type Finish, RunningCall } from './running-call.ts'

/** Most processes make no spans. */
const tracing = lazily(() => import('../telemetry/trace-call.ts'))

/**
 * Runs an accepted Call to its Outcome, and resolves with what `finish` makes of that; rejects only with what `finish`
 * throws. Writes nothing to a context: that is the caller's to decide.
 *
 * @param finish Not a `then`, since one more promise costs as much as everything that is done to an Outcome.
 */
export function runAccepted<Result>(accepted: AcceptedCall, finish: Finish<Result>): Promise<Result> {
  const { run } = accepted
  const tracer = activeTracer(run.options.telemetry)
  if (!tracer && !run.options.after) return new RunningCall(accepted, undefined, finish).end()
  const running = new RunningCall(accepted, undefined, asItIs)
  return runWatched(running, accepted, tracer).then((outcome) => finish(outcome, run))
}

/**
 * Runs an accepted Call of a group, and tells of its Outcome, once: what many Calls keep while they wait is most of what a
 * group costs, and a promise for what may cancel each of them was a sixth of that.
 *
 * @param onDefect Told instead where there is no Outcome, by a defect of Callsheet or of what traces.
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
  const running = new RunningCall(accepted, group, asItIs)
  runWatched(running, accepted, tracer).then(onOutcome).catch(onDefect)
}

/** Runs a Call in a span, where there is a tracer, and with its hook `after`, where it has one. */
async function runWatched(
  running: RunningCall<Outcome>,
  call: AcceptedCall,
  tracer: CallTracer | undefined,
): Promise<Outcome> {
  const { state, options } = call.run
  const toOutcome = (): Promise<Outcome> => askAfter(running.end(), options)
  if (!tracer) return toOutcome()
  const { captureContent = false } = options.telemetry || {}
  const { traceCall } = await tracing()
  return traceCall({ events: state.events, tracer, captureContent, call, run: toOutcome })
}

/** The `finish` of a run whose Outcome is all that is wanted. */
export function asItIs(outcome: Outcome): Outcome {
  return outcome
}
