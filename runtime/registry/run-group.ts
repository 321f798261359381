import { keepCall } from '../call/accept/keep-call.ts'
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

/** Most processes run their Calls one by one, or leave groups to a model's loop. */
const grouping = lazily(() => import('../call/groups/groups.ts'))

/**
 * Runs a group of Calls. Where what runs it has to be loaded first, the Calls are kept as they are now.
 *
 * @throws CallError `invalid_call` for what is no list; `invalid_options`.
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
  const kept = calls.map(keepCall)
  return (await groups).strategies[strategy](state, kept, all)
}

/** The Calls in a list without holes, so that every place of it ends in an Outcome. */
function listOf(strategy: Strategy, calls: Iterable<Call> | undefined): Call[] {
  try {
    if (typeof calls === 'object' && calls !== null && Symbol.iterator in calls) return Array.from(calls)
  } catch (cause) {
    const message = `Tool.${strategy} takes a list of Calls, and what it got cannot be read.`
    throw new CallError('invalid_call', message, { cause })
  }
  throw new CallError('invalid_call', `Tool.${strategy} takes a list of Calls, got ${briefly(calls)}.`)
}
