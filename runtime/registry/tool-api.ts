import { acceptCall } from '../call/accept/accept-call.ts'
import type { AcceptedCall } from '../call/accept/accepted-call.ts'
import { isRecorded } from '../call/accept/is-recorded.ts'
import { snapshotCall } from '../call/accept/snapshot-call.ts'
import { CallRun } from '../call/call-run.ts'
import { requireGroupOptions } from '../call/controls/require-options.ts'
import type { Outcome } from '../call/outcome.ts'
import { attachState, type RegistryState } from '../call/registry-state.ts'
import { runAccepted } from '../call/run/run-call.ts'
import type { Finish } from '../call/run/running-call.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { Call } from '../context/message.ts'
import { lazily } from '../lazily.ts'
import type { PlanResult, RunnablePlan } from '../plan/run-plan.ts'
import { appendOutcome, emitCallEnd, finishWithOutcome, finishWithOutput } from './end-call.ts'
import type { ToolApi } from './registry-api.ts'
import { runGroup, type Strategy } from './run-group.ts'
import { withDefaults } from './with-defaults.ts'

/** Creates `Tool`, the function that runs Calls, on top of a registry's state. */
export function toolApi(state: RegistryState): ToolApi {
  const { tools, events } = state
  // Not an async function: each promise costs a plain Call a tenth of its time. What is thrown here still becomes a
  // rejection.
  function start<Result>(
    call: Call,
    given: RunOptions | undefined,
    records: boolean,
    finish: Finish<Result>,
  ): Promise<Result> {
    try {
      const options = withDefaults(state, given)
      const accepted = acceptCall(new CallRun(state, options, records || isRecorded(state, options)), call)
      return accepted instanceof Promise ? runLater(accepted, finish) : runAccepted(accepted, finish)
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }

  const run = (call: Call, options?: RunOptions): Promise<Outcome> =>
    start(call, options, true, finishWithOutcome)
  const call = (call: Call, options?: RunOptions): Promise<unknown> =>
    start(call, options, false, finishWithOutput)

  const grouped =
    (strategy: Strategy) =>
    (calls: Iterable<Call>, options?: GroupOptions): Promise<unknown> =>
      runGroup(strategy, state, calls, options)

  async function plan(given: RunnablePlan, options?: GroupOptions): Promise<PlanResult> {
    requireGroupOptions(options)
    const all = withDefaults(state, options)
    // Copied before the first wait, so that later changes to the list have no effect.
    const calls = isList(given) ? given.map(snapshotCall) : given
    const { runPlan } = await planning()
    return runPlan(state, calls, all, (ended) => {
      const outcome = appendOutcome(ended, all)
      emitCallEnd(state, outcome)
      return outcome
    })
  }

  const api = Object.assign(call, {
    run,
    all: grouped('all'),
    any: grouped('any'),
    race: grouped('race'),
    plan,
    ...state.surface,
    get: (name: string) => tools.get(name)?.schema,
    list: () => Array.from(tools.entries, (entry) => entry.schema),
    on: events.on.bind(events),
  })
  attachState(api, state)
  return Object.defineProperty(api, 'names', { get: () => tools.names }) as unknown as ToolApi
}

/** Runs a Call that is accepted asynchronously: its Tool's checks are being loaded, or the hook `before` runs. */
async function runLater<Result>(accepted: Promise<AcceptedCall>, finish: Finish<Result>): Promise<Result> {
  return runAccepted(await accepted, finish)
}

/** Loaded lazily: most processes run plans in an agent's loop only. */
const planning = lazily(() => import('../plan/run-plan.ts'))

/** A proxy may throw here; reading the plan then reports the error. */
function isList(given: RunnablePlan): given is readonly Call[] {
  try {
    return Array.isArray(given)
  } catch {
    return false
  }
}
