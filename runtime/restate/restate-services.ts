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
import { type RestateLimits, restateLimitRules, withDefaultLimits } from './limits.ts'
import { restateSdk, restateStepRules } from './restate-step-rules.ts'
import type { RestateStepOptions, RestateTools } from './restate-steps.ts'
import { loadRestateSdk, type RestateSdk, type RestateService } from './sdk.ts'

/** Options of {@link restateServices}. */
export interface RestateServicesOptions extends RestateStepOptions, RestateLimits {
  /** The registry whose Activities are served. */
  readonly Tool: RestateTools
  /** The Tools whose Activities this process serves. Default: all with an Activity. Empty for a process that only serves agents. */
  readonly names?: readonly string[] | undefined
  /** Agents by name, each a separate workflow: a function from the input of a run to its options. */
  readonly agents?: Readonly<Record<string, RestateAgent>> | undefined
  /** Options of every served Call, such as `policy` or `model`. */
  readonly serve?: ServedCallOptions | undefined
  /** Restate's SDK, for bundlers that need to see the import. Default: loaded on first use. */
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
 * Creates the services for Restate's SDK (DUR-1): one whose handlers are the Activities, and a workflow for each agent.
 * A Restate server records their steps, so that runs survive their processes.
 *
 * @throws CallsheetError `invalid_options` without the SDK, on an unsupported version of Node, for ineffective limits,
 * or names that Restate does not accept; `unknown_tool` for unknown names in `names` and `local`.
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
  const limits = withDefaultLimits(options)
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

/** Valid service names of Restate, which refuses a worker with any other. */
const serviceName = /^(?:[A-Za-z]|_[A-Za-z0-9])[A-Za-z0-9._-]*$/

/** Requires valid and unique service names: of two equal ones, only one would exist. */
function requireServiceNames(service: string | undefined, agents: readonly string[]): void {
  const problem = (text: string): CallsheetError => new CallsheetError('invalid_options', text)
  const wrong = [...(service === undefined ? [] : [service]), ...agents].find(
    (name) => !serviceName.test(name),
  )
  if (wrong !== undefined) {
    throw problem(
      `Restate does not accept the service name ${JSON.stringify(wrong)}. Use a letter, then letters, digits, ".", "_" or "-".`,
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
 * Serves the result of {@link restateServices} on a port, with the SDK's own server.
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
