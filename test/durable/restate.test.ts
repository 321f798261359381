import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRegistry, type PlanResult } from 'callsheet'
import type { Approval } from 'callsheet/agent'
import { type AgentRun, restateActivities, type ToldApproval } from 'callsheet/restate'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Done, doneIn, executorRegistry, startsOf } from '../conformance/executor-tools.ts'
import { executorCases, withoutDates } from '../conformance/executors.ts'
import { deliveryLines } from '../package/delivery-lines.ts'
import { dagCalls } from './dag.ts'
import { isInstalled, nodeForWorkers } from './installed.ts'
import { end, freePorts, pause, RestateServer, start, Workers, waitForPort } from './processes.ts'

const file = join(mkdtempSync(join(tmpdir(), 'callsheet-durable-')), 'done.jsonl')

const kinds = ['owner', 'other', 'server'] as const
/** `DURABLE_ROUNDS=10` is the longer run of docs/reliability.md. */
const rounds = Number(process.env.DURABLE_ROUNDS ?? 1)
const crashes: Crash[] = []

interface Crash {
  readonly kind: string
  /** Milliseconds after the first Call began. */
  readonly at: number
  readonly before: number
  readonly time: number
  readonly starts: number
  /** Bodies that came to their end twice. */
  readonly twice: number
  /** How often the model was asked. */
  readonly asked: number
}

function report(crash: Crash): void {
  crashes.push(crash)
}

describe.skipIf(!isInstalled('@restatedev/restate-sdk'))("Restate's SDK", () => {
  test('takes what is made for it, by its own types', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url))
    writeFileSync(join(folder, 'node_modules/sdk-types.ts'), sdkTypes)
    const compiler = join(folder, '../../node_modules/typescript/bin/tsc')
    const args = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2023',
      '--lib',
      'es2023',
    ]
    const project = ['--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'node_modules/sdk-types.ts']
    const ran = spawnSync(process.execPath, [compiler, ...args, ...project], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(ran.stdout).toBe('')
  })
})

/** A worker and a typed client, as a user writes them. */
const sdkTypes = `
import * as restate from '@restatedev/restate-sdk'
import { createRegistry } from 'callsheet'
import { type RestateActivities, restateHandler, restateServices } from 'callsheet/restate'

interface Calls { add: { _tool: 'add'; left: number; right: number } }
interface Outputs { add: number }

const { Tool } = createRegistry({ tools: {} })
const services = await restateServices({ Tool, sdk: restate })
const own = restate.service({
  name: 'own',
  handlers: {
    sum: restateHandler({ Tool }, async ({ run }, { left }: { left: number }) => (await run({ _tool: 'add', left })).status),
    typed: async (ctx: restate.Context): Promise<number | undefined> => {
      const tools = ctx.serviceClient<RestateActivities<Calls, Outputs>>({ name: 'tools' })
      // @ts-expect-error: \`left\` is a number
      void tools.add({ call: { _tool: 'add', left: 'x', right: 1 }, id: 'a' })
      return (await tools.add({ call: { _tool: 'add', left: 1, right: 1 }, id: 'a' })).output
    },
  },
})
const flow = restate.workflow({
  name: 'flow',
  handlers: { run: restateHandler({ Tool }, async ({ agent }) => (await agent<string>({ model: 'm' })).output) },
})
await restate.serve({ services: [...services, own, flow] })
`

describe.skipIf(!isInstalled('@restatedev/restate-server'))('on a Restate server, with two workers', () => {
  let server: RestateServer
  let workers: Workers

  beforeAll(async () => {
    server = await RestateServer.start()
    workers = await Workers.start('worker.ts', file)
    await server.register(workers.url)
  })

  afterAll(async () => {
    if (rounds > 1) console.table(crashes)
    await workers?.stop()
    await server?.stop()
  })

  describe('DUR-5 the same cases as every executor', () => {
    test.each(Object.entries(executorCases))('%s', async (name, given) => {
      const id = await server.send('conformance/run', name)
      if (given.cancelAfter !== undefined) {
        while (startsIn(id) < given.cancelAfter) await pause(20)
        await server.cancel(id)
      }
      expect(await server.resultOf(id)).toEqual(given.want)
      expect(startsByTool(id)).toEqual(given.starts)
    })
  })

  describe('DUR-2 a plan of 200 Calls', () => {
    test('comes to the same context as in this process, and a resubmission gives the stored result', async () => {
      const { Tool } = executorRegistry(join(mkdtempSync(join(tmpdir(), 'callsheet-dag-')), 'done.jsonl'))
      const here = await Tool.plan(dagCalls(200))
      const id = await server.send('planner/whole/run', { count: 200, name: 'whole' })
      const run = await server.resultOf<AgentRun>(id)
      expect(run.output).toBe('done')
      expect(run.context.map(told)).toEqual(here.context.map(told))
      expect(run.outcomes.map(({ status }) => status)).toEqual(run.outcomes.map(() => 'succeeded'))
      expect(new Set(run.outcomes.map(({ id }) => id)).size).toBe(200)
      const starts = startsOf(file, ({ id }) => id.startsWith('planner/whole:'))
      expect([...starts.values()]).toEqual(Array.from({ length: 200 }, () => 1))

      const again = await server.send('planner/whole/run', { count: 200, name: 'whole' })
      expect(await server.resultOf(again)).toEqual(run)
      expect(startsOf(file, ({ id }) => id.startsWith('planner/whole:'))).toEqual(starts)
    })

    test.each(
      Array.from({ length: rounds }, (_, round) => kinds.map((kind) => [kind, round] as const)).flat(),
    )('kill -9 of the %s in the middle (%i): every Outcome once, the same context', async (kind, round) => {
      const { Tool } = executorRegistry(join(mkdtempSync(join(tmpdir(), 'callsheet-dag-')), 'done.jsonl'))
      const here = await Tool.plan(dagCalls(200))
      const key = `${kind}-${round}`
      const begun = Date.now()
      const id = await server.send(`planner/${key}/run`, { count: 200, name: key })
      await waitFor(() => of(key, 'start').length > 0)
      // Anywhere in what takes some two seconds.
      const at = Math.round(Math.random() * 1500)
      await pause(at)
      const before = of(key, 'start').length
      const owner = of(key, 'owner').at(-1)?.pid
      if (kind === 'server') await server.killAndRestart()
      else workers.kill(kind === 'owner' ? owner : workers.pids.find((pid) => pid !== owner))
      const run = await server.resultOf<AgentRun>(id)
      const time = Date.now() - begun

      expect(run.output).toBe('done')
      expect(run.context.map(told)).toEqual(here.context.map(told))
      expect(new Set(run.outcomes.map((outcome) => outcome.id)).size).toBe(200)
      expect(run.outcomes.every(({ status }) => status === 'succeeded')).toBe(true)
      // What writes under its Call's key has written once, however often its body ran.
      expect(of(key, 'tallied').length).toBe(50)
      const starts = startsOf(file, ({ id }) => id.startsWith(`planner/${key}:`))
      expect(starts.size).toBe(200)
      report({
        kind,
        at,
        before,
        time,
        starts: sum(starts.values()),
        twice: endedTwice(key),
        asked: of(key, 'model').length,
      })
      // Only what was under way can run again: a level is ten Calls wide.
      expect(sum(starts.values()) - 200).toBeLessThanOrEqual(20)
      await waitFor(() => workers.pids.length === 2)
    })

    const of = (key: string, event: Done['event']): Done[] =>
      doneIn(file).filter(
        (done) => done.event === event && (done.id === key || done.id.startsWith(`planner/${key}:`)),
      )
    const endedTwice = (key: string): number => {
      const ends = of(key, 'end').map(({ id }) => id)
      return ends.length - new Set(ends).size
    }

    test('runs without an agent as well', async () => {
      const plan = await server.call<PlanResult>('steps/plan', 40)
      expect(plan.outcomes.map((outcome) => outcome?.status)).toEqual(
        Array.from({ length: 40 }, () => 'succeeded'),
      )
      expect(plan.blocked).toEqual([])
    })
  })

  describe('CALL-4 all or nothing', () => {
    test('gives the outputs in order', async () => {
      const calls = [1, 2, 3].map((left) => ({ _tool: 'add', left, right: 1 }))
      expect(await server.call('steps/all', calls)).toEqual([2, 3, 4])
    })

    test('checks every Call before any starts', async () => {
      const begun = doneIn(file).length
      const calls = [
        { _tool: 'add', left: 1, right: 1 },
        { _tool: 'add', left: 1 },
      ]
      await expect(server.call('steps/all', calls)).rejects.toThrow(/invalid_call: .*right/)
      expect(doneIn(file).length).toBe(begun)
    })

    test('cancels the others when one fails', async () => {
      const calls = [
        { _tool: 'hang', name: 'a' },
        { _tool: 'flakyWrite', name: 'a', failures: 9 },
      ]
      await expect(server.call('steps/all', calls)).rejects.toThrow(/activity_failed: .*failed 1 of 9 times/)
    })
  })

  describe('DUR-3 approvals', () => {
    const pays = (run: string): number => startsByTool(run).pay ?? 0

    test('a decision counts for what was shown, and once; by another process than the one that asked', async () => {
      const id = await server.send('payer/rent/run', null)
      const [approval] = await approvalsOf('rent')
      expect(approval).toMatchObject({
        id: 'payer/rent:1.0',
        calls: [{ _tool: 'pay', to: 'rent', amount: 20 }],
      })
      const decision = { approval: approval.id, hash: approval.hash, approve: true }
      await expect(decide('rent', { ...decision, hash: 'other' })).rejects.toThrow(/has the hash "other"/)
      for (const other of ['payer/rent:9.9', { toString: 1 }]) {
        await expect(decide('rent', { ...decision, approval: other })).rejects.toThrow(/does not wait for/)
      }
      expect(pays('payer/rent')).toBe(0)
      // Both processes that knew of it are gone, and the server as well.
      for (const pid of workers.pids) workers.kill(pid)
      await server.killAndRestart()
      expect(await decide('rent', decision)).toEqual({ counted: true })
      expect(await decide('rent', decision)).toEqual({ counted: false })
      await expect(decide('rent', { ...decision, approve: false })).rejects.toThrow(
        /decision was made already/,
      )
      const run = await server.resultOf<AgentRun>(id)
      expect(run).toMatchObject({ output: 'It is paid.', spent: { turns: 2, calls: 1 } })
      expect(run.outcomes.map(({ output }) => output)).toEqual(['paid 20 to rent'])
      expect(pays('payer/rent')).toBe(1)
      expect(await server.call('payer/rent/approvals', null)).toEqual([])
    })

    test('a refusal is told to the model, and nothing runs', async () => {
      const id = await server.send('payer/refused/run', null)
      const [approval] = await approvalsOf('refused')
      await decide('refused', {
        approval: approval.id,
        hash: approval.hash,
        approve: false,
        reason: 'paid 20 is too much',
      })
      const run = await server.resultOf<AgentRun>(id)
      expect(run.outcomes).toMatchObject([{ status: 'refused', error: { code: 'refused' } }])
      expect(pays('payer/refused')).toBe(0)
    })

    test('by awakeables in any handler; what is no decision about it is asked for again', async () => {
      const id = await server.send('steps/ask', null)
      const first = await askedIn(id, 1)
      await resolve(first.awakeable, { approval: first.approval.id, hash: 'other', approve: true })
      const second = await askedIn(id, 2)
      expect(second.refused).toMatch(/has the hash "other"/)
      expect(second.awakeable).not.toBe(first.awakeable)
      expect(pays(id)).toBe(0)
      const decision = { approval: second.approval.id, hash: second.approval.hash, approve: true }
      await resolve(second.awakeable, decision)
      await resolve(second.awakeable, decision)
      expect(await server.resultOf(id)).toBe('It is paid.')
      expect(pays(id)).toBe(1)
    })

    test('by an awakeable: what is not even JSON is asked for again', async () => {
      const id = await server.send('steps/ask', null)
      const first = await askedIn(id, 1)
      await server.resolveAwakeable(first.awakeable, 'yes, please', 'text/plain')
      const second = await askedIn(id, 2)
      expect(second.refused).toMatch(/is "yes, please"; expected \{ approval, hash, approve \}/)
      await resolve(second.awakeable, {
        approval: second.approval.id,
        hash: second.approval.hash,
        approve: true,
      })
      expect(await server.resultOf(id)).toBe('It is paid.')
      expect(pays(id)).toBe(1)
    })

    test('nobody decides: refused after the time of one, however many are waited for', async () => {
      const begun = Date.now()
      const id = await server.send('steps/late', null)
      expect(await server.resultOf(id)).toBe('Nothing is paid.')
      const took = Date.now() - begun
      expect(took).toBeGreaterThan(1_400)
      // One after the other would be three times 1,500.
      expect(took).toBeLessThan(4_000)
      expect(pays(id)).toBe(0)
    })

    test('what is approved in time runs, though nobody decides the others until their time is over', async () => {
      const id = await server.send('steps/late', null)
      const { approval, awakeable } = await askedIn(id, 1)
      await resolve(awakeable, { approval: approval.id, hash: approval.hash, approve: true })
      expect(await server.resultOf(id)).toBe('Nothing is paid.')
      expect(pays(id)).toBe(1)
    })

    test('a run that is cancelled while it waits says what ran, and waits for nothing any more', async () => {
      const id = await server.send('payer/cancelled/run', null)
      const [{ id: approval, hash }] = await approvalsOf('cancelled')
      await server.cancel(id)
      expect(await server.resultOf<AgentRun>(id)).toMatchObject({
        output: null,
        error: { code: 'aborted', message: 'The run was cancelled.' },
        spent: { turns: 1 },
      })
      expect(await server.call('payer/cancelled/approvals', null)).toEqual([])
      await expect(decide('cancelled', { approval, hash, approve: true })).rejects.toMatchObject({
        status: 409,
      })
      expect(pays('payer/cancelled')).toBe(0)
    })

    async function approvalsOf(key: string): Promise<[Approval]> {
      for (;;) {
        const approvals = await server.call<Approval[]>(`payer/${key}/approvals`, null)
        if (approvals[0]) return [approvals[0]]
        await pause(20)
      }
    }

    const decide = (key: string, decision: object): Promise<unknown> =>
      server.call(`payer/${key}/decide`, decision)
    const resolve = (awakeable: string, decision: object): Promise<void> =>
      server.resolveAwakeable(awakeable, decision)

    async function askedIn(run: string, times: number): Promise<ToldApproval> {
      for (;;) {
        const asked = doneIn(file).filter(({ event, id }) => (event as string) === 'asked' && id === run)
        const { approvals = [] } = (asked[times - 1] ?? {}) as { approvals?: ToldApproval[] }
        if (approvals[0]) return approvals[0]
        await pause(20)
      }
    }
  })

  test.each(['here', 'there'])(
    'DUR-2 a write that has begun comes to its end %s, though its run is cancelled',
    async (where) => {
      const id = await server.send(`steps/${where}`, { _tool: 'settle', name: 'rent', milliseconds: 500 })
      await waitFor(() => startsIn(id) > 0)
      await server.cancel(id)
      expect(await server.resultOf(id)).toMatchObject({ status: 'succeeded', output: 'rent' })
      expect(startsByTool(id)).toEqual({ settle: 1 })
    },
  )

  test('DUR-2 a write whose output is more than the server takes runs once, and says so', async () => {
    const call = { _tool: 'bulk', amount: 33_900_000 }
    expect(await server.call('tools/bulk', { call, id: 'bulk-1' })).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { code: 'invalid_output', message: expect.stringContaining('Restate keeps 31999') },
    })
    expect(startsOf(file, ({ id }) => id === 'bulk-1').get('bulk-1')).toBe(1)
  })

  test('DUR-2 a Call that the server has no memory for is refused, or runs once and says so', async () => {
    const call = { _tool: 'settle', name: 'x'.repeat(20_000_000), milliseconds: 1 }
    const refused = await server.resultOf(await server.send('steps/there', call))
    expect(refused).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'invalid_call' } })
    // Sent by somebody else than Callsheet.
    expect(await server.call('tools/settle', { call, id: 'large-1' })).toMatchObject({
      call: { _tool: 'settle' },
      attempts: 1,
      error: { code: 'invalid_output', message: expect.stringContaining('Restate keeps 11999') },
    })
    expect(startsOf(file, ({ id }) => id === 'large-1').get('large-1')).toBe(1)
  })

  test('DUR-3 an agent whose options cannot be used ends its run, and says why', async () => {
    await expect(server.call('misspelt/a/run', null)).rejects.toThrow(
      /invalid_options: The options of the agent "misspelt" cannot be used: \/confirm\/asks: no such property/,
    )
    await expect(server.call('promised/a/run', null)).rejects.toThrow(/returned a promise/)
  })

  describe('restateActivities, from a process that runs on no engine', () => {
    test('ACT-3a outputs and failures are those of the workers, and a retried Call runs once', async () => {
      const { Tool, Activity } = createRegistry({ tools: toolsOf(executorRegistry(file).Tool) })
      restateActivities(server.ingress, { Tool, Activity })
      expect(await Tool({ _tool: 'add', left: 2, right: 3 })).toBe(5)
      const call = { _tool: 'pay', to: 'x', amount: 7 }
      const id = `ingress-${Date.now()}`
      const [first, second] = [await Tool.run(call, { id }), await Tool.run(call, { id })]
      expect([first.output, second.output]).toEqual(['paid 7 to x', 'paid 7 to x'])
      expect(startsOf(file, (done) => done.id === id).get(id)).toBe(1)
      const failed = await Tool.run({ _tool: 'flakyWrite', name: 'a', failures: 9 })
      expect(failed.error).toMatchObject({
        code: 'activity_failed',
        message: expect.stringContaining('failed 1 of 9'),
      })
      const signal = AbortSignal.timeout(200)
      expect(await Tool.run({ _tool: 'hang', name: 'a' }, { signal })).toMatchObject({ status: 'aborted' })
    })
  })

  test('DUR-3 examples/durable is paid once it is approved', async () => {
    const folder = fileURLToPath(new URL('.callsheet/example', import.meta.url))
    rmSync(folder, { recursive: true, force: true })
    cpSync(fileURLToPath(new URL('../../examples/durable', import.meta.url)), folder, { recursive: true })
    const ledger = join(folder, 'ledger.txt')
    const own = await RestateServer.start()
    const [port] = await freePorts(1)
    const worker = start(
      nodeForWorkers(),
      // As if the package were installed here, with the SDK beside it.
      ['--preserve-symlinks', 'worker.ts'],
      { PORT: String(port), LEDGER: ledger },
      'ignore',
      folder,
    )
    try {
      const env = {
        RESTATE_INGRESS: own.ingress,
        RESTATE_ADMIN: own.admin,
        WORKER: `http://127.0.0.1:${port}`,
      }
      // The worker may not listen yet when the server looks for it.
      await waitForPort(port, worker)
      // The second time nothing waits any more: each key runs once.
      for (const _time of [1, 2]) {
        const ran = spawnSync(nodeForWorkers(), ['--disable-warning=ExperimentalWarning', 'main.ts', 'may'], {
          cwd: folder,
          env: { ...process.env, ...env },
          encoding: 'utf8',
          timeout: 60_000,
        })
        expect(ran.stderr).toBe('')
        expect(ran.stdout.split('\n').at(-2)).toBe('The rent is paid.')
      }
      expect(readFileSync(ledger, 'utf8')).toBe('payer/rent-may:1.1 rent 300\n')
    } finally {
      await end(worker, 'SIGKILL')
      await own.stop()
    }
  })

  test('DUR-1 examples/monorepo runs here too, by one changed line in the agent and one in the worker', async () => {
    const own = await RestateServer.start()
    const [port] = await freePorts(1)
    const folder = fileURLToPath(new URL('.callsheet/monorepo', import.meta.url))
    // What each of the two says instead.
    const agent = await moved(folder, 'agent', "from 'callsheet/server'", restateAgent)
    const worker = start(
      nodeForWorkers(),
      ['--preserve-symlinks', await moved(folder, 'worker', "from './serve-tools.js'", restateWorker)],
      { PORT: String(port) },
      'ignore',
      folder,
    )
    try {
      await waitForPort(port, worker)
      await own.register(`http://127.0.0.1:${port}`)
      const ran = spawnSync(process.execPath, [agent, own.ingress], { cwd: folder, encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      expect(ran.stdout.split('\n')).toEqual(deliveryLines)
    } finally {
      await end(worker, 'SIGKILL')
      await own.stop()
    }
  })

  test('SERVE-4 a caller of another contract is refused, and nothing runs', async () => {
    const call = { _tool: 'pay', to: 'x', amount: 1 }
    const outcome = await server.call('tools/pay', { call, id: 'contract-1', contract: 'other' })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'contract_mismatch' } })
    expect(startsOf(file, ({ id }) => id === 'contract-1').size).toBe(0)
    await expect(server.call('tools/pay', { call: { _tool: 'add' } })).rejects.toThrow(
      /invalid_call: "pay" takes/,
    )
  })
})

/** What a Message tells, but for the time and the words that a scripted model adds to its Calls. */
function told(message: object): unknown {
  const { _call, ...rest } = withoutDates([message])[0] as { _call?: object }
  return rest
}

const restateAgent = "import { restateActivities as reachActivities } from 'callsheet/restate'"
const restateWorker = "import { serveRestate as serveTools } from 'callsheet/restate'"

/** Builds a package of the monorepo with one line changed. @returns The program. */
async function moved(folder: string, name: string, old: string, line: string): Promise<string> {
  const example = fileURLToPath(new URL('../../examples/monorepo', import.meta.url))
  const main = readFileSync(join(example, name, 'src/main.ts'), 'utf8').split('\n')
  const at = main.findIndex((each) => each.includes(old))
  expect(at).toBeGreaterThanOrEqual(0)
  main[at] = line
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents: main.join('\n'), resolveDir: join(example, name, 'src'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['callsheet', 'callsheet/*', 'geolib'],
    alias: { '@delivery/contracts': join(example, 'contracts/generated/index.ts') },
  })
  return outfile
}

/** The same contract, without the Activities. */
function toolsOf({
  names,
  get,
}: {
  names: readonly string[]
  get(name: string): object | undefined
}): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, get(name) ?? {}]))
}

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10)
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0)
}

function startsIn(run: string): number {
  return doneIn(file).filter(({ event, id }) => event === 'start' && id.startsWith(`${run}:`)).length
}

function startsByTool(run: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { event, tool, id } of doneIn(file)) {
    if (event === 'start' && id.startsWith(`${run}:`)) counts[tool] = (counts[tool] ?? 0) + 1
  }
  return counts
}
