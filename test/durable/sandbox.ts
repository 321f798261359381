import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** What a workflow asks its server to do, as far as these workflows ask. */
interface Command {
  readonly scheduleActivity?: {
    readonly seq: number
    readonly activityType: string
    readonly arguments?: readonly unknown[]
  }
  readonly updateResponse?: { readonly completed?: unknown; readonly rejected?: { readonly message: string } }
  readonly respondToQuery?: { readonly succeeded?: { readonly response: unknown } }
  readonly completeWorkflowExecution?: { readonly result: unknown }
  readonly cancelWorkflowExecution?: object
  readonly failWorkflowExecution?: { readonly failure: { readonly message: string } }
}

/** A workflow that runs in the sandbox. */
export interface SandboxRun {
  query(name: string): Promise<unknown>
  update(name: string, argument: unknown): Promise<unknown>
  cancel(): Promise<unknown>
  /** What it returned; `cancelled` for a workflow that ended so. */
  readonly result: Promise<unknown>
}

/** Starts a workflow; with `as`, one that Temporal tells more of itself. */
export interface StartInSandbox {
  (workflowType: string, ...args: unknown[]): Promise<SandboxRun>
  as(info: object, workflowType: string, ...args: unknown[]): Promise<SandboxRun>
}

/**
 * Bundles workflows and starts them in the sandbox in which the SDK's worker runs them. The caller plays the server: it
 * runs the Activities.
 */
export async function openSandbox(
  workflowsPath: string,
  send: (name: string, request: unknown) => Promise<unknown>,
): Promise<StartInSandbox> {
  const { bundleWorkflowCode } = load('@temporalio/worker')
  const { parseWorkflowCode } = load('@temporalio/worker/lib/worker.js')
  const { ReusableVMWorkflowCreator } = load('@temporalio/worker/lib/workflow/reusable-vm.js')
  const { coresdk } = load('@temporalio/proto')
  const { defaultPayloadConverter: converter } = load('@temporalio/common')
  const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} }
  const { code } = await bundleWorkflowCode({ workflowsPath, logger })
  const creator = await ReusableVMWorkflowCreator.create(parseWorkflowCode(code), 5_000, new Set())

  const startAs = async (own: object, workflowType: string, ...args: unknown[]): Promise<SandboxRun> => {
    const [runId, at] = [randomUUID(), new Date()]
    const names = { workflowId: runId, runId, workflowType, taskQueue: 'q', namespace: 'default', ...own }
    const times = { startTime: at, runStartTime: at, historyLength: 3, historySize: 300 }
    const unsafe = { now: () => Date.now(), isReplaying: false }
    const info = { ...names, ...times, attempt: 1, searchAttributes: {}, unsafe }
    const workflow = await creator.createWorkflow({
      info,
      randomnessSeed: [1],
      now: at.getTime(),
      showStackTraceSources: false,
    })
    let last: Promise<unknown> = Promise.resolve()
    let end: { resolve(value: unknown): void; reject(error: Error): void }
    const result = new Promise((resolve, reject) => {
      end = { resolve, reject }
    })
    // One activation after the other, as from a server.
    const activate = (job: object): Promise<readonly Command[]> => {
      const activated = last.then(() => activation(job))
      last = activated
      return activated
    }
    const activation = async (job: object): Promise<readonly Command[]> => {
      const timestamp = { seconds: Math.floor(Date.now() / 1_000) }
      const sent = { runId, timestamp, historyLength: 3, jobs: [job] }
      const { successful, failed } = await workflow.activate(
        coresdk.workflow_activation.WorkflowActivation.fromObject(sent),
      )
      if (!successful) throw new Error(failed.failure.message)
      for (const command of successful.commands as Command[]) {
        const { scheduleActivity, completeWorkflowExecution, failWorkflowExecution } = command
        if (command.cancelWorkflowExecution) end.resolve('cancelled')
        if (scheduleActivity) void answer(scheduleActivity)
        if (completeWorkflowExecution) end.resolve(converter.fromPayload(completeWorkflowExecution.result))
        if (failWorkflowExecution) end.reject(new Error(failWorkflowExecution.failure.message))
      }
      return successful.commands
    }
    const answer = async ({
      seq,
      activityType,
      arguments: given = [],
    }: Command['scheduleActivity'] & object) => {
      try {
        const [request] = given
        const found = await send(
          activityType,
          request === undefined ? undefined : converter.fromPayload(request),
        )
        await activate({
          resolveActivity: { seq, result: { completed: { result: converter.toPayload(found) } } },
        })
      } catch (error) {
        end.reject(error as Error)
      }
    }
    await activate({
      initializeWorkflow: {
        workflowId: runId,
        workflowType,
        arguments: args.map((each) => converter.toPayload(each)),
      },
    })
    return {
      result,
      cancel: () => activate({ cancelWorkflow: { reason: 'Somebody cancelled it.' } }),
      async query(queryType) {
        const commands = await activate({
          queryWorkflow: { queryId: randomUUID(), queryType, arguments: [] },
        })
        const response = commands.find(({ respondToQuery }) => respondToQuery)?.respondToQuery?.succeeded
        return response && converter.fromPayload(response.response)
      },
      async update(name, argument) {
        const id = randomUUID()
        const input = [converter.toPayload(argument)]
        const commands = await activate({
          doUpdate: { id, protocolInstanceId: id, name, input, runValidator: true },
        })
        const responses = commands.flatMap(({ updateResponse }) => updateResponse ?? [])
        const refused = responses.find(({ rejected }) => rejected)?.rejected
        if (refused) throw new Error(refused.message)
        const completed = responses.find(({ completed }) => completed)?.completed
        return converter.fromPayload(completed)
      },
    }
  }
  const start = (workflowType: string, ...args: unknown[]): Promise<SandboxRun> =>
    startAs({}, workflowType, ...args)
  return Object.assign(start, { as: startAs })
}
