import { lazily } from '../../lazily.ts'
import type { AcceptedCall } from '../accept/accepted-call.ts'
import { askAfter } from '../controls/ask-after.ts'
import type { CallGroup } from '../groups/call-group.ts'
import type { Outcome } from '../outcome.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'
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
export function runAccepted<Result>(
  state: RegistryState,
  accepted: AcceptedCall,
  options: RunOptions,
  finish: Finish<Result>,
): Promise<Result> {
  const tracer = activeTracer(options.telemetry)
  if (!tracer && !options.after) return new RunningCall(state, accepted, options, undefined, finish).end()
  const run = new RunningCall(state, accepted, options, undefined, asItIs)
  return runWatched(run, state, accepted, options, tracer).then((outcome) => finish(outcome, state, options))
}

/**
 * Runs an accepted Call of a group, and tells of its Outcome, once: what many Calls keep while they wait is most of what a
 * group costs, and a promise for what may cancel each of them was a sixth of that.
 *
 * @param onDefect Told instead where there is no Outcome, by a defect of Callsheet or of what traces.
 */
export function startAccepted(
  state: RegistryState,
  accepted: AcceptedCall,
  options: RunOptions,
  group: CallGroup,
  onOutcome: (outcome: Outcome) => void,
  onDefect: (thrown: unknown) => void,
): void {
  const tracer = activeTracer(options.telemetry)
  if (!tracer && !options.after) {
    new RunningCall(state, accepted, options, group, onOutcome).start(onDefect)
    return
  }
  const run = new RunningCall(state, accepted, options, group, asItIs)
  runWatched(run, state, accepted, options, tracer).then(onOutcome).catch(onDefect)
}

/** Runs a Call in a span, where there is a tracer, and with its hook `after`, where it has one. */
async function runWatched(
  run: RunningCall<Outcome>,
  { events }: RegistryState,
  call: AcceptedCall,
  options: RunOptions,
  tracer: CallTracer | undefined,
): Promise<Outcome> {
  const toOutcome = (): Promise<Outcome> => askAfter(run.end(), options)
  if (!tracer) return toOutcome()
  const { captureContent = false } = options.telemetry || {}
  const { traceCall } = await tracing()
  return traceCall({ events, tracer, captureContent, call, run: toOutcome })
}

/** The `finish` of a run whose Outcome is all that is wanted. */
export function asItIs(outcome: Outcome): Outcome {
  return outcome
}
