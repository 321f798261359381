import type { ServedCallOptions } from '../durable/activity-request.ts'
import { agentsByName } from '../durable/engine-agents.ts'
import { engineTools } from '../durable/engine-tools.ts'
import { servedCall } from '../durable/served-call-rules.ts'
import { CallsheetError } from '../errors.ts'
import { port, texts } from '../problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { requireToolNames } from '../tools/require-tool-names.ts'
import { activityService } from './activity-service.ts'
import { agentWorkflow, type RestateAgent } from './agent-workflow.ts'
import { type RestateLimits, restateLimitRules, wholeLimits } from './limits.ts'
import { restateSdk, restateStepRules } from './restate-step-rules.ts'
import type { RestateStepOptions, RestateTools } from './restate-steps.ts'
import { loadRestateSdk, type RestateSdk, type RestateService } from './sdk.ts'

/** Options of {@link restateServices}. */
export interface RestateServicesOptions extends RestateStepOptions, RestateLimits {
  /** The registry whose Activities are served. */
  readonly Tool: RestateTools
  /** The Tools whose Activities this process serves; all that have one by default. None, for a process of agents alone. */
  readonly names?: readonly string[] | undefined
  /** Agents by name, each a workflow of its own; from the input of a run its options. */
  readonly agents?: Readonly<Record<string, RestateAgent>> | undefined
  /** Options of every Call that is served, such as `policy` or `model`. */
  readonly serve?: ServedCallOptions | undefined
  /** Restate's SDK, where a bundler has to see its import; loaded from where it is installed unless given. */
  readonly sdk?: RestateSdk | undefined
}

const restateServicesRules: OptionRules<RestateServicesOptions> = {
  ...restateStepRules,
  ...restateLimitRules,
  names: texts('a list of names of Tools'),
  agents: agentsByName,
  serve: servedCall,
  sdk: restateSdk,
}

/**
 * Makes what Restate's SDK serves (DUR-1): one service whose handlers are the Activities, and a workflow for each agent.
 * What they do is recorded by a Restate server, so that it outlives the processes that do it.
 *
 * @throws CallsheetError `invalid_options` without the SDK, on a Node that it cannot run on, for limits that bound nothing, or names that
 * Restate does not take; `unknown_tool` for `names` and `local` that are of no Tool.
 *
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { restateServices } from 'callsheet/restate'
 * import { Tool } from '../generated/index.js'
 * import './activities/index.js'
 *
 * restate.serve({ services: await restateServices({ Tool }), port: 9080 })
 */
export async function restateServices(options: RestateServicesOptions): Promise<RestateService[]> {
  requireOptionsOf('restateServices', options, restateServicesRules, ['Tool'])
  const { Tool, agents = {}, service = 'tools', serve: run } = options
  const limits = wholeLimits(options)
  const names = options.names ?? withActivity(Tool)
  requireToolNames(names, Tool, 'serve')
  requireToolNames(options.local ?? [], Tool, 'run where the run is')
  requireServiceNames(names.length > 0 ? service : undefined, Object.keys(agents))
  const sdk = options.sdk ?? (await loadRestateSdk())
  const workflows = Object.entries(agents).map(([name, agent]) =>
    agentWorkflow({ ...options, sdk, name, agent, limits }),
  )
  if (names.length === 0) return workflows
  return [activityService({ sdk, Tool, service, names, limits, run }), ...workflows]
}

/** What Restate takes for the name of a service; it refuses a worker that has any other. */
const serviceName = /^(?:[A-Za-z]|_[A-Za-z0-9])[A-Za-z0-9._-]*$/

/** Requires names that Restate takes, each once: of two services of one name only one would be there. */
function requireServiceNames(service: string | undefined, agents: readonly string[]): void {
  const problem = (text: string): CallsheetError => new CallsheetError('invalid_options', text)
  const wrong = [...(service === undefined ? [] : [service]), ...agents].find(
    (name) => !serviceName.test(name),
  )
  if (wrong !== undefined) {
    throw problem(
      `Restate takes no service named ${JSON.stringify(wrong)}. Begin it with a letter, and go on with letters, digits, ".", "_" or "-".`,
    )
  }
  if (service !== undefined && agents.includes(service)) {
    throw problem(
      `The agent "${service}" and the Activities would both be Restate's service "${service}". Rename the agent, or name the other one by \`service\`.`,
    )
  }
}

function withActivity(Tool: RestateTools): string[] {
  return engineTools(Tool).flatMap(({ name, activity }) => (activity === '' ? [] : [name]))
}

/**
 * Serves on a port what {@link restateServices} makes, by the SDK's own server.
 *
 * @example
 * await serveRestate({ Tool, port: 9080 })
 */
export async function serveRestate(given: RestateServicesOptions & { readonly port: number }): Promise<void> {
  requireOptionsOf('serveRestate', given, { ...restateServicesRules, port }, ['Tool', 'port'])
  const { port: at, ...options } = given
  const sdk = options.sdk ?? (await loadRestateSdk())
  await sdk.serve({ services: await restateServices({ ...options, sdk }), port: at })
}
