import { aFunction, texts, withMethods } from '../problems/field-rule.ts'
import { type OptionRules, requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import type { AnyActivity } from '../tools/activity.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { activityThere } from './activity-there.ts'
import type { ServableTool } from './served-tools.ts'
import { headers } from './server-option-rules.ts'
import { webAddress } from './web-address.ts'

/** Where Activities are registered: the `Activity` of a generated or hand-made registry. */
export interface ActivityTarget<Name extends string = string> {
  register(name: Name, activity: AnyActivity): void
}

/** Options of {@link remoteActivities}. */
export interface RemoteActivitiesOptions<Name extends string = string> {
  /** The registry's Tools: their contract is what both sides must agree on. */
  readonly Tool: Pick<ServableTool, 'names' | 'get'>
  readonly Activity: ActivityTarget<Name>
  /** The Tools that run there. Default: all of the registry. */
  readonly names?: readonly NoInfer<Name>[] | undefined
  /** Headers of every request, credentials for example; a function is asked each time. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Record<string, string> | Promise<Record<string, string>>)
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const contractTool = withMethods('the Tool of a registry', 'get')

/** What the options of Activities that run elsewhere must be. */
export const remoteActivitiesRules: OptionRules<RemoteActivitiesOptions> = {
  Tool: [
    (value) => contractTool[0](value) && Array.isArray(Reflect.get(value as object, 'names')),
    contractTool[1],
  ],
  Activity: withMethods('the Activity of a registry', 'register'),
  names: texts('a list of names of Tools'),
  headers,
  fetch: aFunction,
}

/**
 * Implements Tools by a server of the same contract (SERVE-4): each registered Activity sends its Call to `POST /calls` there, hands
 * its progress on, and gives back what came out, as if it had run here. Aborting it aborts the Call there. The Call's `run.id` goes along,
 * so that a request that is repeated runs once there; an attempt after one that failed runs again.
 *
 * A failure there is the same failure here: its code, message and problems. A server of another contract is `contract_mismatch`, and
 * nothing runs.
 *
 * @example
 * import { remoteActivities } from 'callsheet/server'
 * import { Activity, Tool } from '@acme/contract'
 * remoteActivities('https://worker.internal', { Tool, Activity, headers: { authorization: `Bearer ${token}` } })
 */
export function remoteActivities<Name extends string>(
  url: string | URL,
  options: RemoteActivitiesOptions<Name>,
): void {
  requireOptionsOf('remoteActivities', options, remoteActivitiesRules, ['Tool', 'Activity'])
  requireArgument('remoteActivities', url, webAddress)
  const { Tool, Activity, headers, fetch } = options
  // The names of a registry's Tools are those that its Activity takes.
  const names = options.names ?? (Tool.names as readonly Name[])
  const endpoint = `${String(url).replace(/\/$/, '')}/calls`
  const server = { endpoint, Tool, headers, fetch }
  requireToolNames(names, Tool, `run at ${endpoint}`)
  for (const name of names) Activity.register(name, activityThere(server, name))
}
