import type { DispatchPolicy, Executor, ExecutorFactory, PerformedOutcome } from '../agent/loop/executor.ts'
import type { Call } from '../context/message.ts'
import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import { aNumber, type FieldRule, isFunction } from '../problems/field-rule.ts'
import { requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import { RandomSource } from './random-source.ts'

/** The recorded steps of a run. */
export interface RunRecording {
  readonly steps: ReadonlyMap<string, RecordedStep>
  /** The times that the run read, in order. */
  readonly times: readonly number[]
}

const aRecording: FieldRule = [
  (value) => isJsonObject(value) && value.steps instanceof Map && Array.isArray(value.times),
  'the recording of a run, as recordRun made it in this process: it is not JSON',
]

/** A step of a recorded run: the dispatched Call, and its Outcome. */
export interface RecordedStep {
  readonly call: Call
  readonly policy: DispatchPolicy
  readonly outcome: PerformedOutcome
}

/**
 * Records a run, for replay by {@link shuffledReplay}.
 *
 * @example
 * const recorder = recordRun(inProcessExecutor)
 * const first = await Agent({ ...options, runId: 'r', executor: recorder.executor })
 * const again = await Agent({ ...options, runId: 'r', executor: shuffledReplay(recorder.recording, { seed: 3 }) })
 * // again.context equals first.context: the order in which Calls end does not show
 */
export function recordRun(inner: ExecutorFactory): {
  readonly executor: ExecutorFactory
  readonly recording: RunRecording
} {
  requireArgument('recordRun', inner, [isFunction, 'an executor, such as inProcessExecutor'])
  const steps = new Map<string, RecordedStep>()
  const times: number[] = []
  const executor: ExecutorFactory = (perform) => {
    const running = inner(perform)
    const dispatched = new Map<string, { readonly call: Call; readonly policy: DispatchPolicy }>()
    const recorded: Executor<unknown> = {
      dispatch(call, key, policy) {
        dispatched.set(key, { call, policy })
        return running.dispatch(call, key, policy)
      },
      async next(pending) {
        const settled = await running.next(pending)
        const step = dispatched.get(settled.id)
        if (step) steps.set(settled.id, { ...step, outcome: settled.outcome })
        return settled
      },
      now() {
        times.push(running.now())
        return times.at(-1) as number
      },
    }
    return recorded
  }
  return { executor, recording: { steps, times } }
}

/**
 * Replays a recorded run without running anything: Calls end in random order, the same for the same seed. A
 * deterministic loop reaches the same result; if a loop dispatches a different step than the recorded one, the error
 * names it.
 */
export function shuffledReplay(recording: RunRecording, options: { seed?: number } = {}): ExecutorFactory {
  requireArgument('shuffledReplay', recording, aRecording)
  requireOptionsOf('shuffledReplay', options, { seed: aNumber })
  const { seed = 1 } = options
  return (): Executor<string> => {
    const random = new RandomSource(seed)
    let asked = 0
    return {
      dispatch(call, key, policy) {
        const step = recording.steps.get(key)
        if (!step) throw new Error(`The replay dispatched "${key}", which the recorded run did not.`)
        if (!isSameJson(step.call, call) || !isSameJson(step.policy, policy)) {
          throw new Error(
            `The replay dispatched "${key}" with another Call or context than the recorded run.`,
          )
        }
        return key
      },
      async next(pending) {
        const id = random.pick(pending)
        const step = recording.steps.get(id) as RecordedStep
        return { id, outcome: step.outcome }
      },
      now() {
        const time = recording.times[asked++]
        if (time === undefined)
          throw new Error('The replay asked for the time more often than the recorded run.')
        return time
      },
    }
  }
}
