import { randomUUID } from 'node:crypto'
import { type TemporalActivitiesOptions, type TemporalAgent, temporalActivities } from 'callsheet/temporal'
import { type TemporalWorkflow, temporalSteps } from 'callsheet/workflow'
import { registryWithTools } from '../agent/tools.ts'

export class Failure extends Error {
  readonly type: string | undefined

  constructor(message: string, type: string | undefined) {
    super(message)
    this.type = type
  }
}

/**
 * Steps of a workflow without a server, whose Activities run at once; what is no failure of Temporal's would be repeated for ever there.
 *
 * @param results Receives what its Activities return and throw.
 */
export async function workflowOf(
  agent: unknown,
  { Tool, ran } = registryWithTools(),
  engine: Partial<TemporalWorkflow> = {},
  worker: Partial<TemporalActivitiesOptions> = {},
  results: unknown[] = [],
  options: { readonly requestBytes?: number } = {},
) {
  const Context = {
    current: () => ({
      info: { attempt: 1 },
      cancellationSignal: new AbortController().signal,
      heartbeat() {},
    }),
  }
  const activities = temporalActivities({
    Tool,
    Context,
    agents: { payer: agent as TemporalAgent },
    ...worker,
  })
  const plain = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
  const info = { workflowId: 'w', firstExecutionRunId: randomUUID() }
  const workflow: TemporalWorkflow = {
    proxyActivities: () =>
      new Proxy(
        {},
        {
          get: (_, name) => async (request: unknown) => {
            const given = activities[String(name)]?.(plain(request) as never)
            given?.then(
              (result) => results.push(plain(result)),
              (thrown) => results.push(thrown),
            )
            return plain(await given)
          },
        },
      ),
    workflowInfo: () => info,
    condition: () => Promise.resolve(true),
    defineQuery: (name) => name,
    defineUpdate: (name) => name,
    setHandler() {},
    ApplicationFailure: { nonRetryable: (message, type) => new Failure(message, type) },
    ...engine,
  }
  return { steps: await temporalSteps({ workflow, ...options }), ran, workflow }
}
