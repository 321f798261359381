import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

type Respond = (error: null, response: object) => void

/** How the server was told of each attempt of an Activity, in order. */
export interface Attempts {
  readonly ended: readonly ('completed' | 'failed')[]
  /** What it returned in the end; undefined if it was repeated more often than the test allows. */
  readonly result: unknown
}

/**
 * Plays a Temporal server that has one Activity to run, over gRPC, for the worker of the SDK. It accepts payloads of 2 MiB, and repeats
 * what fails, at most `most` times.
 */
export async function runOnWorker(
  activities: object,
  { name, request, most }: { readonly name: string; readonly request: unknown; readonly most: number },
): Promise<Attempts> {
  const { Server, ServerCredentials } = load('@grpc/grpc-js')
  const { workflowservice } = load('@temporalio/proto').temporal.api
  const { NativeConnection, Worker } = load('@temporalio/worker')
  const { defaultPayloadConverter: converter } = load('@temporalio/common')
  const ended: ('completed' | 'failed')[] = []
  let result: unknown
  let poll: Respond | undefined
  let begun = 0
  let end: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const offer = (): void => {
    if (!poll || begun > ended.length) return
    const at = { seconds: Math.floor(Date.now() / 1_000) }
    poll(null, {
      taskToken: Buffer.from(String(++begun)),
      workflowNamespace: 'default',
      workflowType: { name: 'w' },
      workflowExecution: { workflowId: 'w', runId: 'r' },
      activityType: { name },
      activityId: '1',
      attempt: begun,
      input: { payloads: [converter.toPayload(request)] },
      ...{ scheduledTime: at, currentAttemptScheduledTime: at, startedTime: at },
      ...{
        startToCloseTimeout: { seconds: 60 },
        scheduleToCloseTimeout: { seconds: 60 },
        heartbeatTimeout: { seconds: 30 },
      },
    })
    poll = undefined
  }
  const hears = (how: 'completed' | 'failed', isOver: boolean): void => {
    ended.push(how)
    if (isOver) end()
    else offer()
  }
  type Handler = (
    call: { readonly request: { readonly result: { readonly payloads: unknown[] } } },
    respond: Respond,
  ) => void
  const handlers: Record<string, Handler> = {
    GetSystemInfo: (_, respond) => respond(null, { capabilities: {} }),
    DescribeNamespace: (_, respond) =>
      respond(null, { namespaceInfo: { name: 'default', limits: { blobSizeLimitError: 2 * 1024 * 1024 } } }),
    PollActivityTaskQueue: (_, respond) => {
      poll = respond
      offer()
    },
    RecordActivityTaskHeartbeat: (_, respond) => respond(null, {}),
    RespondActivityTaskCompleted: ({ request: { result: given } }, respond) => {
      result = converter.fromPayload(given.payloads[0])
      respond(null, {})
      hears('completed', true)
    },
    RespondActivityTaskFailed: (_, respond) => {
      respond(null, {})
      hears('failed', ended.length + 1 >= most)
    },
  }
  const service = Object.fromEntries(
    Object.keys(handlers).map((method) => {
      const [asked, answered] = ['Request', 'Response'].map((kind) => workflowservice.v1[method + kind])
      const path = `/temporal.api.workflowservice.v1.WorkflowService/${method}`
      const requestDeserialize = (bytes: Uint8Array): unknown => asked.decode(bytes)
      const responseSerialize = (value: object): Buffer =>
        Buffer.from(answered.encode(answered.fromObject(value)).finish())
      return [
        method,
        { path, requestStream: false, responseStream: false, requestDeserialize, responseSerialize },
      ]
    }),
  )
  const server = new Server()
  server.addService(service, handlers)
  const port = await new Promise((resolve, reject) => {
    const done = (error: unknown, taken: number): void => (error ? reject(error) : resolve(taken))
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), done)
  })
  const connection = await NativeConnection.connect({ address: `127.0.0.1:${port}` })
  const worker = await Worker.create({ connection, taskQueue: 'q', activities, shutdownGraceTime: 0 })
  await worker.runUntil(over)
  await connection.close()
  server.forceShutdown()
  return { ended, result }
}
