import { aFunction, texts, withMethods } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import type { AnyActivity } from '../tools/activity.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { activityThere } from './activity-there.ts'
import { requireHeaders } from './sent-headers.ts'
import type { ServableTool } from './served-tools.ts'
import { headers } from './server-option-rules.ts'
import { requireWebAddress } from './web-address.ts'

/** The `Activity` of a registry, generated or not. */
export interface ActivityTarget<Name extends string = string> {
  register(name: Name, activity: AnyActivity): void
}

/** Options of {@link remoteActivities}. */
export interface RemoteActivitiesOptions<Name extends string = string> {
  /** The registry's Tools: both sides must agree on their contract. */
  readonly Tool: Pick<ServableTool, 'names' | 'get'>
  readonly Activity: ActivityTarget<Name>
  /** The Tools that run on the server. Default: all of the registry. */
  readonly names?: readonly NoInfer<Name>[] | undefined
  /** Headers of every request, for example credentials; a function is called each time. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Record<string, string> | Promise<Record<string, string>>)
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const contractTool = withMethods('the Tool of a registry', 'get')

/** The rules for the options of remote Activities. */
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
 * Implements Tools by a server with the same contract (SERVE-4). Each registered Activity sends its Call to the
 * server's `POST /calls`, passes its progress on, and returns the output, as if it ran here. Aborting it aborts the
 * remote Call. The Call's `run.id` is sent along, so that a repeated request runs once; an attempt after a failed one
 * runs again.
 *
 * A remote failure has the same code, message and problems here. If the server has another contract, the Call fails with
 * `contract_mismatch` and nothing runs.
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
  requireWebAddress('remoteActivities', url)
  const { Tool, Activity, headers, fetch } = options
  // A registry's Activity accepts the names of its Tools.
  const names = options.names ?? (Tool.names as readonly Name[])
  const endpoint = `${String(url).replace(/\/$/, '')}/calls`
  const server = { endpoint, Tool, headers, fetch }
  requireToolNames(names, Tool, `run at ${endpoint}`)
  if (typeof headers === 'object') requireHeaders('remoteActivities', headers)
  for (const name of names) Activity.register(name, activityThere(server, name))
}
