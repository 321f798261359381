import { snapshotCall } from '../call/accept/snapshot-call.ts'
import { requireGroupOptions } from '../call/controls/require-options.ts'
import type { RegistryState } from '../call/registry-state.ts'
import type { GroupOptions } from '../call/run-options.ts'
import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { lazily } from '../lazily.ts'
import { briefly } from '../problems/problem.ts'
import { withDefaults } from './with-defaults.ts'

/** How a group of Calls runs. */
export type Strategy = 'all' | 'any' | 'race'

/** Loaded lazily: most processes run Calls one by one, or in an agent's loop. */
const grouping = lazily(() => import('../call/groups/groups.ts'))

/**
 * Runs a group of Calls. If the code for groups has to be loaded first, the Calls are copied before the wait.
 *
 * @throws CallError `invalid_call` if `given` is not a list; `invalid_options`.
 */
export async function runGroup(
  strategy: Strategy,
  state: RegistryState,
  given: Iterable<Call>,
  options: GroupOptions | undefined,
): Promise<unknown> {
  const calls = listOf(strategy, given)
  requireGroupOptions(options)
  const all = withDefaults(state, options)
  const groups = grouping()
  if (!(groups instanceof Promise)) return groups.strategies[strategy](state, calls, all)
  const kept = calls.map(snapshotCall)
  return (await groups).strategies[strategy](state, kept, all)
}

/** Copies the Calls into an array without holes, so that every index gets an Outcome. */
function listOf(strategy: Strategy, calls: Iterable<Call> | undefined): Call[] {
  try {
    if (typeof calls === 'object' && calls !== null && Symbol.iterator in calls) return Array.from(calls)
  } catch (cause) {
    const message = `Tool.${strategy} takes a list of Calls, and what it got cannot be read.`
    throw new CallError('invalid_call', message, { cause })
  }
  throw new CallError('invalid_call', `Tool.${strategy} takes a list of Calls, got ${briefly(calls)}.`)
}
