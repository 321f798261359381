import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRegistry } from 'callsheet'
import type { Approval, Decision, ExecutorFactory } from 'callsheet/agent'
import { type TemporalActivityContext, temporalActivities } from 'callsheet/temporal'
import { type TemporalWorkflow, temporalSteps } from 'callsheet/workflow'
import { describe, expect, test } from 'vitest'
import { recordOutcome } from '../../runtime/durable/recorded-outcome.ts'
import { temporalExecutor } from '../../runtime/temporal/temporal-executor.ts'
import { doneIn, executorRegistry } from '../conformance/executor-tools.ts'
import { type ExecutorCase, executorCases, modelOf, withoutDates } from '../conformance/executors.ts'
import { dagCalls } from './dag.ts'
import { runOnWorker } from './frontend.ts'
import { isInstalled } from './installed.ts'
import { openSandbox } from './sandbox.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const load = createRequire(import.meta.url)

/** What is used of Temporal's test environment: an Activity's context, without a server. */
interface Environment {
  run(activity: (request: unknown) => Promise<unknown>, request: unknown): Promise<unknown>
  cancel(): void
}

const payer = () => ({
  model: 'm',
  client: modelOf(
    [
      {
        calls: [
          { _tool: 'add', left: 1, right: 2 },
          { _tool: 'pay', to: 'rent', amount: 20 },
        ],
      },
      { output: 'It is paid.' },
    ],
    'paid 20',
  ),
  output: { type: 'string' },
  confirm: { effects: ['write' as const], ask: () => 'pending' as const },
})

/**
 * As much of an engine as workflows use: Activities run in the SDK's test environment, what throws is repeated, and all that
 * goes in and out is JSON. It keeps no history; that is the server's, and shown with one.
 */
function engine(file: string) {
  const { MockActivityEnvironment } = load('@temporalio/testing') as {
    MockActivityEnvironment: new (info: { attempt: number }, options: { logger: object }) => Environment
  }
  const { Context } = load('@temporalio/activity') as { Context: TemporalActivityContext }
  const { Tool } = executorRegistry(file)
  const activities = temporalActivities({ Tool, Context, agents: { payer } })
  const running = new Set<Environment>()
  const handlers = new Map<
    string,
    { handle(decision?: Decision): unknown; validate: ((decision: Decision) => void) | undefined }
  >()
  let isCancelled = false
  const send = async (name: string, request: unknown): Promise<never> => {
    for (let attempt = 1; ; attempt++) {
      if (isCancelled) throw Object.assign(new Error('cancelled'), { name: 'CancelledFailure' })
      const environment = new MockActivityEnvironment({ attempt }, { logger: silent() })
      running.add(environment)
      try {
        return plain(await environment.run(activities[name] as never, plain(request))) as never
      } catch (thrown) {
        if (attempt === 10) throw thrown
      } finally {
        running.delete(environment)
      }
    }
  }
  const workflow: TemporalWorkflow = {
    proxyActivities: () =>
      new Proxy({}, { get: (_, name) => (request: unknown) => send(String(name), request) }) as never,
    workflowInfo: () => ({ workflowId: `wf-${randomUUID()}` }),
    condition: async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
      return true
    },
    defineQuery: (name) => name,
    defineUpdate: (name) => name,
    setHandler: (name, handle, options) =>
      handlers.set(String(name), { handle, validate: options?.validator }),
    ApplicationFailure: { nonRetryable: (message) => new Error(message) },
  }
  return {
    Tool,
    activities,
    workflow,
    send,
    cancel(): void {
      isCancelled = true
      for (const environment of running) environment.cancel()
    },
    approvals: () => (handlers.get('approvals')?.handle() ?? []) as Approval[],
    decide(decision: Decision): unknown {
      handlers.get('decide')?.validate?.(decision)
      return handlers.get('decide')?.handle(decision)
    },
  }
}

const plain = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
const silent = () => ({ log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} })
const freshFile = (): string => join(mkdtempSync(join(tmpdir(), 'callsheet-temporal-')), 'done.jsonl')
const startsIn = (file: string): string[] =>
  doneIn(file).flatMap(({ event, tool }) => (event === 'start' ? [tool] : []))

const isHere = isInstalled('@temporalio/worker')

describe.skipIf(!isHere)("DUR-4 Temporal's SDK, without a server", () => {
  test('its bundler takes workflows with the loop', async () => {
    const { bundleWorkflowCode } = load('@temporalio/worker')
    const { code } = await bundleWorkflowCode({
      workflowsPath: here('temporal-workflows.mjs'),
      logger: silent(),
    })
    expect(code).toContain('temporalSteps')
    // What asks models stays with the workers.
    expect(code).not.toContain('chat/completions')
  })

  test('its sandbox runs workflows with Calls, a plan and an approval to their end', async () => {
    const file = freshFile()
    const { send, Tool } = engine(file)
    const start = await openSandbox(here('temporal-workflows.mjs'), send)
    expect(await (await start('sums')).result).toEqual([2, 3, 4])
    expect(await (await start('sumsAtOnce')).result).toEqual([[2, 2], 2, [2]])
    expect(await (await start('tooLarge')).result).toMatch(
      /"add", .* takes 21\d{5} bytes .* accepts 2000000\./,
    )
    const context = await (await start('dag', 60)).result
    expect(withoutDates(context as never)).toEqual(withoutDates((await Tool.plan(dagCalls(60))).context))
    const run = await start('payRent', 'Pay the rent.')
    let open: Approval[] = []
    while (open.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      open = ((await run.query('approvals')) as Approval[] | undefined) ?? []
    }
    const [{ id, hash }] = open as [Approval]
    const decision = { approval: id, hash, approve: true }
    await expect(run.update('decide', { ...decision, hash: 'other' })).rejects.toThrow(/has the hash "other"/)
    expect(await run.update('decide', decision)).toEqual({ counted: true })
    expect(await run.result).toBe('It is paid.')
    expect(startsIn(file).filter((tool) => tool === 'pay')).toEqual(['pay'])
  })

  test('DUR-2 its runs have a `run.id` of their own for each Call, and so have the steps of one run; a replay has the same', async () => {
    const { send } = engine(freshFile())
    const ids: string[] = []
    const start = await openSandbox(here('temporal-workflows.mjs'), (name, request) => {
      if (name === 'add') ids.push((request as { id: string }).id)
      return send(name, request)
    })
    const [first, second] = [randomUUID(), randomUUID()]
    for (const runId of [first, second, first]) {
      const names = { workflowId: 'sums', firstExecutionRunId: runId, originalExecutionRunId: runId }
      expect(await (await start.as(names, 'twoSums')).result).toEqual([[2], [2]])
    }
    expect(new Set(ids.slice(0, 4)).size).toBe(4)
    expect(ids.slice(4)).toEqual(ids.slice(0, 2))
  })

  test('DUR-2 one that is cancelled ends as cancelled, once what it writes is through, and starts no other', async () => {
    const file = freshFile()
    const { send } = engine(file)
    const start = await openSandbox(here('temporal-workflows.mjs'), send)
    const run = await start('waitTwice')
    while (startsIn(file).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await run.cancel()
    expect(await run.result).toBe('cancelled')
    expect(doneIn(file).map(({ event, tool }) => [event, tool])).toEqual([
      ['start', 'settle'],
      ['end', 'settle'],
    ])
    const agent = await start('payRent')
    while (!startsIn(file).includes('add')) await new Promise((resolve) => setTimeout(resolve, 5))
    await agent.cancel()
    expect(await agent.result).toBe('cancelled')
    expect(startsIn(file)).toEqual(['settle', 'add'])
  })

  test('DUR-3 one that is cancelled while it waits for a decision ends as cancelled, and can tell what ran', async () => {
    const file = freshFile()
    const { send } = engine(file)
    const start = await openSandbox(here('temporal-workflows.mjs'), send)
    for (const [name, want] of [
      ['payRent', 'cancelled'],
      ['payOrTell', ['aborted', [['add', 'succeeded']]]],
    ] as const) {
      const run = await start(name)
      const open = async () => ((await run.query('approvals')) as Approval[] | undefined) ?? []
      while ((await open()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await run.cancel()
      expect(await run.result).toEqual(want)
    }
    expect(startsIn(file)).toEqual(['add', 'add'])
  })

  test('takes what is made for it, by its own types', () => {
    writeFileSync(here('node_modules/temporal-types.ts'), temporalTypes)
    const compiler = here('../../node_modules/typescript/bin/tsc')
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
    ]
    const platform = [
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    const args = [compiler, ...options, ...platform, 'node_modules/temporal-types.ts']
    const ran = spawnSync(process.execPath, args, { cwd: here('.'), encoding: 'utf8' })
    expect(ran.stdout).toBe('')
  })

  describe('DUR-5 the same cases as every executor', () => {
    test.each(Object.entries(executorCases))('%s', async (_, given) => {
      const file = freshFile()
      const { send, Tool, cancel } = engine(file)
      const tools = new Map(
        Tool.composable().map(({ name, schema, activity }) => [
          name,
          { name, schema, isRemote: activity !== '', contract: undefined as never },
        ]),
      )
      const executor: ExecutorFactory = (perform) =>
        temporalExecutor({
          tools,
          send,
          perform: async (call, key, policy) =>
            plain(recordOutcome(await perform(call, key, policy))) as never,
        })
      const running = given.run({ runId: randomUUID(), file, executor, signal: new AbortController().signal })
      await cancelledAt(given, file, cancel)
      expect(plain(await running)).toEqual(given.want)
      expect(countsOf(startsIn(file))).toEqual(given.starts)
    })
  })

  test('Activities are told of their attempt and cancelled by the engine', async () => {
    const file = freshFile()
    const { send, cancel } = engine(file)
    const flaky = { call: { _tool: 'flaky', name: 'a', failures: 99 }, id: 'r:1.0' }
    expect(await send('flaky', flaky)).toMatchObject({ status: 'failed', attempts: 3 })
    const hanging = send('hang', { call: { _tool: 'hang', name: 'a' }, id: 'r:1.1' })
    while (!startsIn(file).includes('hang')) await new Promise((resolve) => setTimeout(resolve, 5))
    cancel()
    expect(await hanging).toMatchObject({ status: 'aborted' })
  })

  test('DUR-2 a write whose output is larger than a server takes runs once', async () => {
    const { Context } = load('@temporalio/activity') as { Context: TemporalActivityContext }
    const parameters = { _tool: { const: 'write' }, _output: { type: 'string' } }
    const { Tool, Activity } = createRegistry({
      tools: { write: { type: 'object', effects: 'write', properties: parameters } },
    })
    let bodies = 0
    Activity.register('write', () => {
      bodies++
      return 'x'.repeat(2_200_000)
    })
    const request = { call: { _tool: 'write' }, id: 'r:s1.0' }
    const write = { name: 'write', request, most: 3 }
    const { ended, result } = await runOnWorker(temporalActivities({ Tool, Context }), write)
    expect({ bodies, ended }).toEqual({ bodies: 1, ended: ['completed'] })
    expect(result).toMatchObject({ status: 'failed', error: { code: 'invalid_output' } })
  })

  test('a plan comes to the same context as in this process', async () => {
    const { workflow, Tool } = engine(freshFile())
    const { plan, all } = await temporalSteps({ workflow })
    const [there, directly] = [await plan(dagCalls(60)), await Tool.plan(dagCalls(60))]
    expect(withoutDates(there.context)).toEqual(withoutDates(directly.context))
    expect(await all([{ _tool: 'add', left: 1, right: 2 }])).toEqual([3])
    await expect(all([{ _tool: 'add', left: 1 }])).rejects.toMatchObject({ code: 'invalid_call' })
  })

  test('REQ-9 an agent waits for a decision, which counts for what was shown and once', async () => {
    const file = freshFile()
    const { workflow, approvals, decide } = engine(file)
    const { agent, runId } = await temporalSteps({ workflow })
    const running = agent<string>('payer')
    while (approvals().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const [approval] = approvals() as [Approval]
    expect(approval).toMatchObject({ id: `${runId}:1.1`, calls: [{ _tool: 'pay', to: 'rent', amount: 20 }] })
    const decision = { approval: approval.id, hash: approval.hash, approve: true }
    expect(() => decide({ ...decision, hash: 'other' })).toThrow(/has the hash "other"/)
    expect(startsIn(file)).toEqual(['add'])
    expect(decide(decision)).toEqual({ counted: true })
    expect(decide(decision)).toEqual({ counted: false })
    expect(() => decide({ ...decision, approve: false })).toThrow(/decision was made already/)
    const { output, spent, outcomes, turns } = await running
    expect({ output, spent }).toMatchObject({ output: 'It is paid.', spent: { turns: 2, calls: 2 } })
    // What ran before the wait as well (DUR-2).
    expect(outcomes.map(({ tool, status }) => [tool, status])).toEqual([
      ['add', 'succeeded'],
      ['pay', 'succeeded'],
    ])
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 2])
    expect(startsIn(file)).toEqual(['add', 'pay'])
  })
})

/** A worker and workflows, as a user writes them. */
const temporalTypes = `
import { Context } from '@temporalio/activity'
import * as workflow from '@temporalio/workflow'
import { Worker } from '@temporalio/worker'
import { createRegistry } from 'callsheet'
import { type TemporalActivities, temporalActivities } from 'callsheet/temporal'
import { temporalSteps } from 'callsheet/workflow'

interface Calls { add: { _tool: 'add'; left: number; right: number } }
interface Outputs { add: number }

export async function sum(): Promise<number | undefined> {
  const { add } = workflow.proxyActivities<TemporalActivities<Calls, Outputs>>({ startToCloseTimeout: '1 minute' })
  // @ts-expect-error: \`left\` is a number
  void add({ call: { _tool: 'add', left: 'x', right: 1 }, id: 'a' })
  const { agent } = await temporalSteps({ workflow })
  await agent<string>('payer', {})
  return (await add({ call: { _tool: 'add', left: 1, right: 1 }, id: 'a' })).output
}

const { Tool } = createRegistry({ tools: {} })
const activities = temporalActivities({ Tool, Context, agents: { payer: () => ({ model: 'm' }) } })
await Worker.create({ taskQueue: 'q', activities })
`

/** A server cannot be had from npm: `TEMPORAL_ADDRESS=127.0.0.1:7233 npm run durable`. */
describe.skipIf(!process.env.TEMPORAL_ADDRESS)('DUR-4 on a Temporal server (TEMPORAL_ADDRESS)', () => {
  test('Calls, a plan and an approval, end to end', async () => {
    const { NativeConnection, Worker } = load('@temporalio/worker')
    const { Client, Connection } = load('@temporalio/client')
    const file = freshFile()
    const { activities, Tool } = engine(file)
    const address = process.env.TEMPORAL_ADDRESS
    const taskQueue = `callsheet-${randomUUID()}`
    const connection = await NativeConnection.connect({ address })
    const worker = await Worker.create({
      connection,
      taskQueue,
      activities,
      workflowsPath: here('temporal-workflows.mjs'),
    })
    const client = new Client({ connection: await Connection.connect({ address }) })
    await worker.runUntil(async () => {
      const start = (name: string, ...args: unknown[]) =>
        client.workflow.start(name, { taskQueue, workflowId: `${name}-${randomUUID()}`, args })
      expect(await (await start('sums')).result()).toEqual([2, 3, 4])
      const context = await (await start('dag', 60)).result()
      expect(withoutDates(context)).toEqual(withoutDates((await Tool.plan(dagCalls(60))).context))
      const run = await start('payRent', 'Pay the rent.')
      let open: Approval[] = []
      while (open.length === 0) open = await run.query('approvals').catch(() => [])
      const [{ id, hash }] = open as [Approval]
      await run.executeUpdate('decide', { args: [{ approval: id, hash, approve: true }] })
      expect(await run.result()).toBe('It is paid.')
      expect(startsIn(file).filter((tool) => tool === 'pay')).toEqual(['pay'])
    })
    await connection.close()
  })
})

async function cancelledAt(given: ExecutorCase, file: string, cancel: () => void): Promise<void> {
  if (given.cancelAfter === undefined) return
  while (startsIn(file).length < given.cancelAfter) await new Promise((resolve) => setTimeout(resolve, 5))
  cancel()
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
