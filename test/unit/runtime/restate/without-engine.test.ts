import {
  type Call,
  createRegistry,
  type Message,
  type Outcome,
  type RunOptions,
  type ToolSchema,
} from 'callsheet'
import { Agent, type ExecutorFactory, inProcessExecutor, type PerformedOutcome } from 'callsheet/agent'
import {
  type RestateLimits,
  type RestateSdk,
  type RestateServicesOptions,
  type RestateTools,
  restateActivities,
  restateHandler,
  restateServices,
  type ToldApproval,
} from 'callsheet/restate'
import { scriptedModel } from 'callsheet/testing'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { callPolicy } from '../../../../runtime/agent/loop/call-policy.ts'
import type { DispatchPolicy, Perform } from '../../../../runtime/agent/loop/executor.ts'
import { unstartedOutcome } from '../../../../runtime/agent/loop/unstarted-outcome.ts'
import { readerOf } from '../../../../runtime/context/state.ts'
import { stepPerformer } from '../../../../runtime/durable/steps.ts'
import {
  RestateExecutor,
  type RestateExecutorSettings,
} from '../../../../runtime/restate/restate-executor.ts'
import { waitForDecision } from '../../../../runtime/restate/wait-for-decision.ts'
import { add, pay, registryWithTools } from '../agent/tools.ts'
import { endlessBody } from '../server/endless-body.ts'
import { Journal, restateOf } from './engine.ts'

afterEach(() => vi.unstubAllGlobals())

/** A Node that is too old, or new enough. */
function stubNode(isNew: boolean): void {
  const names = ['all', 'race', 'resolve', 'reject', 'allSettled', 'any']
  const promise = Object.assign(Promise.bind(globalThis), isNew ? { withResolvers: () => {} } : {})
  for (const name of names)
    Object.defineProperty(promise, name, { value: Reflect.get(Promise, name).bind(Promise) })
  vi.stubGlobal('Promise', promise)
}

/** As much of the SDK as makes services. */
const sdk = {
  service: (definition: object) => definition,
  workflow: (definition: object) => definition,
} as unknown as RestateSdk

class TerminalError extends Error {}
class CancelledError extends TerminalError {}

/** Serves Calls on an engine that does with the entry of each what it is told here. */
async function servedBy(
  Tool: RestateTools,
  entered: (work: () => Promise<unknown>, options: unknown) => Promise<unknown>,
  limits: RestateLimits = {},
  attemptCompletedSignal: AbortSignal = new AbortController().signal,
) {
  const errors = { ...sdk, TerminalError, CancelledError } as unknown as RestateSdk
  const [service] = await restateServices({ Tool, sdk: errors, ...limits })
  const { handlers } = service as unknown as { handlers: Record<string, (...given: unknown[]) => unknown> }
  return async (call: Call): Promise<unknown> => {
    const run = (entry: string, work: () => Promise<unknown>, options: unknown) =>
      entry === call._tool ? entered(work, options) : work()
    const request = () => ({ id: 'i', attemptCompletedSignal })
    return handlers[call._tool]?.({ request, run }, { call, id: 'a' })
  }
}

describe('DUR-1 services of Restate', () => {
  test('an older Node is told of at once, and not by every invocation', async () => {
    stubNode(false)
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool })).rejects.toThrow(/needs Node 22 or later; this is Node \d+\.\d+/)
  })

  test('without the SDK it says what to install', async () => {
    stubNode(true)
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('npm install @restatedev/restate-sdk'),
    })
  })

  test('each Activity is a handler of its own name, each agent a workflow', async () => {
    const { Tool } = registryWithTools()
    const services = await restateServices({ Tool, sdk, agents: { payer: () => ({ model: 'm' }) } })
    expect(services).toMatchObject([
      { name: 'tools', handlers: { add: expect.any(Function), pay: expect.any(Function) } },
      { name: 'payer', handlers: { run: expect.any(Function), decide: expect.any(Function) } },
    ])
    // What the model does itself has no handler.
    expect(Object.keys((services[0] as unknown as { handlers: object }).handlers)).toEqual(['add', 'pay'])
    expect(await restateServices({ Tool, sdk, names: [] })).toEqual([])
  })

  test.each<[string, Omit<RestateServicesOptions, 'Tool'>, RegExp]>([
    ['`names`', { names: ['pya', 'add'] }, /^There is no Tool "pya" to serve\. Did you mean "pay"\?$/],
    ['`local`', { local: ['ad'] }, /^There is no Tool "ad" to run where the run is\. Did you mean "add"\?$/],
    [
      'the name of an agent, which the Activities have',
      { agents: { tools: () => ({ model: 'm' }) } },
      /^The agent "tools" and the Activities would both be Restate's service "tools"\./,
    ],
    [
      'the name of an agent, which Restate does not take',
      { agents: { 'pay er': () => ({ model: 'm' }) } },
      /service name "pay er"/,
    ],
    ['the name of the service', { service: '1st' }, /service name "1st"/],
  ])('what nothing could be reached by is refused: %s', async (_, options, message) => {
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool, sdk, ...options })).rejects.toThrow(message)
  })

  test('an agent may have the name of a service that is not there', async () => {
    const { Tool } = registryWithTools()
    const agents = { tools: () => ({ model: 'm' }) }
    expect(await restateServices({ Tool, sdk, names: [], agents })).toMatchObject([{ name: 'tools' }])
    expect(() => restateHandler({ Tool, sdk, local: ['ad'] }, async () => 1)).toThrow(/Did you mean "add"/)
    const { Activity } = createRegistry()
    expect(() => restateActivities('http://localhost', { Tool, Activity, names: ['ad'] })).toThrow(
      /no Tool "ad" to run at http:\/\/localhost\/tools\. Did you mean "add"\?/,
    )
  })

  test('Tools that would be one handler are refused', async () => {
    const { Tool, Activity } = createRegistry({
      tools: {
        'Kit.add': { type: 'object', properties: { _tool: { const: 'Kit.add' } } },
        Kit_add: { type: 'object', properties: { _tool: { const: 'Kit_add' } } },
      },
    })
    Activity.register('Kit.add', () => {})
    Activity.register('Kit_add', () => {})
    await expect(restateServices({ Tool, sdk })).rejects.toThrow(
      /"Kit\.add" and "Kit_add" would both be the handler "Kit_add"/,
    )
  })

  test('REQ-9 a decision that comes too late does not count', async () => {
    const { Tool } = registryWithTools()
    const services = await restateServices({
      Tool,
      sdk: { ...sdk, TerminalError } as unknown as RestateSdk,
      names: [],
      agents: { payer: () => ({ model: 'm' }) },
    })
    const { decide } = (
      services[0] as unknown as { handlers: Record<string, (...given: unknown[]) => unknown> }
    ).handlers
    const decided: unknown[] = []
    const ctx = (expiresAt: number) => ({
      get: async () => [{ id: 'a', hash: 'h', expiresAt }],
      promise: () => ({
        peek: async () => undefined,
        resolve: async (given: unknown) => decided.push(given),
      }),
      run: (_name: string, work: () => Promise<unknown>) => work(),
    })
    const decision = { approval: 'a', hash: 'h', approve: true }
    await expect(decide?.(ctx(Date.now() - 1), decision)).rejects.toThrow(/comes too late/)
    expect(await decide?.(ctx(Date.now() + 60_000), decision)).toEqual({ counted: true })
    expect(decided).toEqual([decision])
  })

  test('limits go to the engine', async () => {
    const { Tool } = registryWithTools()
    const limits = { retry: { attempts: 4, initial: 5, factor: 3, longest: 50 }, timeout: 1000, outage: 7 }
    const given = { ...sdk, TerminalError, CancelledError } as unknown as RestateSdk
    const [service] = await restateServices({ Tool, sdk: given, ...limits })
    expect(service).toMatchObject({
      options: { abortTimeout: 11_000, retryPolicy: { maxAttempts: 7, onMaxAttempts: 'pause' } },
    })
    const told: unknown[] = []
    const serve = await servedBy(
      Tool,
      (work, options) => {
        told.push(options)
        return work()
      },
      limits,
    )
    await serve(pay(5))
    expect(told).toMatchObject([
      { maxRetryAttempts: 4, initialRetryInterval: 5, retryIntervalFactor: 3, maxRetryInterval: 50 },
    ])
  })

  test.each<[object, string]>([
    [{ initial: 0 }, '/retry/initial'],
    [{ longest: Number.POSITIVE_INFINITY }, '/retry/longest'],
    [{ factor: 0.5 }, '/retry/factor'],
    [{ attempt: 1 }, '/retry/attempt'],
  ])('limits that bound nothing, or are misspelt, are refused: %j', async (retry, path) => {
    const { Tool } = registryWithTools()
    await expect(restateServices({ Tool, sdk, retry, outage: 0 })).rejects.toMatchObject({
      code: 'invalid_options',
      problems: [{ path }, { path: '/outage' }],
    })
  })

  test('what is no request of an Activity ends its invocation, which is not repeated', async () => {
    const { Tool, ran } = registryWithTools()
    const [service] = await restateServices({
      Tool,
      sdk: { ...sdk, TerminalError } as unknown as RestateSdk,
    })
    const { handlers } = service as unknown as { handlers: Record<string, (...given: unknown[]) => unknown> }
    const ctx = { request: () => ({ attemptCompletedSignal: new AbortController().signal }) }
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    const given = [undefined, 5, {}, { call: pay(5) }, { call: add(1, 2), id: 'a' }]
    for (const each of [...given, { call: { ...pay(5), deep }, id: 'a' }]) {
      const ended = await Promise.resolve(handlers.pay?.(ctx, each)).catch((thrown: unknown) => thrown)
      expect(ended).toBeInstanceOf(TerminalError)
      expect((ended as Error).message).toMatch(/^invalid_call: (?:"pay" takes|The value nests deeper)/)
    }
    expect(ran).toEqual([])
  })
})

describe('DUR-1 Calls that run where the run is', () => {
  test('CALL-4 a group is checked by the options that its Calls have: whom they are for, and what their hooks make of them', async () => {
    const { Tool, ran } = registryWithTools()
    const isAda = (_: unknown, principal: unknown): boolean => principal === 'ada'
    Tool.register('pay', Tool.get('pay') as ToolSchema, { enabled: isAda })
    const before = (call: Call): Call => ({ amount: 5, ...call })
    const { handle } = await restateOf(Tool, { local: ['pay'], run: { principal: 'ada', before } })
    expect(await handle(({ all }) => all([{ _tool: 'pay' }]))).toEqual(['paid 5'])
    expect(ran).toEqual([['pay', 5]])
  })
})

describe('DUR-1 Activities that workers on Restate run', () => {
  test.each(['order 7', 'order%207', 'Bestellung №7', 'a\nb', 'cut \ud83d', ' '])(
    'a Call of the id %j',
    async (id) => {
      const there = registryWithTools()
      const { ingress } = await restateOf(there.Tool)
      const here = createRegistry({ tools: { pay: there.Tool.get('pay') as ToolSchema } })
      const { Tool, Activity } = here
      restateActivities('http://localhost', { Tool, Activity, fetch: ingress })
      for (const _ of [1, 2]) expect(await Tool.run(pay(5), { id })).toMatchObject({ id, output: 'paid 5' })
      expect(there.ran).toEqual([['pay', 5]])
      // The server gives what is kept under the key, whatever is sent.
      const { status, error } = await Tool.run(pay(6), { id })
      expect([status, error?.code, error?.message]).toEqual([
        'failed',
        'connection_failed',
        expect.stringContaining('Another Call ran under the id'),
      ])
      expect(there.ran).toEqual([['pay', 5]])
    },
  )
})

test('DUR-1 a Call that its caller takes for a read is refused by a worker that declares it a write', async () => {
  const there = registryWithTools()
  const { ingress } = await restateOf(there.Tool)
  const tool = { ...(there.Tool.get('pay') as ToolSchema), effects: 'read' as const }
  const { Tool, Activity } = createRegistry({ tools: { pay: tool } })
  restateActivities('http://localhost', { Tool, Activity, fetch: ingress })
  expect((await Tool.run(pay(5))).error).toMatchObject({
    code: 'contract_mismatch',
    message: expect.stringContaining('takes the effects of "pay" for read, and this worker declares write'),
  })
  expect(there.ran).toEqual([])
})

test('DUR-1 ids that look like the encoded form of others are ids of their own', async () => {
  const there = registryWithTools()
  const { ingress } = await restateOf(there.Tool)
  const { Tool, Activity } = createRegistry({ tools: { pay: there.Tool.get('pay') as ToolSchema } })
  restateActivities('http://localhost', { Tool, Activity, fetch: ingress })
  for (const id of ['order 7', 'order%207', 'order%25207']) await Tool.run(pay(5), { id })
  expect(there.ran).toHaveLength(3)
})

describe('CALL-8 a Call that the engine repeats', () => {
  test.each([
    [2, { status: 'succeeded', output: 3, attempts: 3 }],
    [3, { status: 'failed', attempts: 3, error: { code: 'activity_failed' } }],
  ])('after %i failures of three attempts: %j', async (failures, want) => {
    const { Tool, Activity } = registryWithTools()
    let made = 0
    Activity.register('add', () => {
      if (++made <= failures) throw new Error('The line is busy.')
      return 3
    })
    const { handle } = await restateOf(Tool, {}, { attempts: 3 })
    expect(await handle(({ run }) => run(add(1, 2)))).toMatchObject(want)
    expect(made).toBe(3)
  })

  test.each([
    ['timeout: It took too long.', { code: 'timeout', message: 'It took too long.' }],
    ['unheard_of: a.', { code: 'activity_failed', message: 'unheard_of: a.' }],
    ['Killed by hand.', { code: 'activity_failed', message: 'Killed by hand.' }],
  ])('is given up with "%s", which another process was told', async (message, error) => {
    const { Tool } = registryWithTools()
    const serve = await servedBy(Tool, async () => {
      throw new TerminalError(message)
    })
    expect(await serve(add(1, 2))).toMatchObject({ status: 'failed', error })
  })

  test('CALL-7 is cancelled: what may be repeated is aborted, and what a write came to is told', async () => {
    const { Tool, Activity, ran } = registryWithTools()
    const begun: AbortSignal[] = []
    const hang = (_call: unknown, _tool: unknown, _context: unknown, { signal }: { signal: AbortSignal }) => {
      begun.push(signal)
      return new Promise<never>(() => {})
    }
    Activity.register('add', hang)
    const serve = await servedBy(Tool, (work) => {
      const working = work()
      const cancelled = vi
        .waitFor(() => expect(ran.length + begun.length).toBeGreaterThan(0))
        .then(() => {
          throw new CancelledError()
        })
      return Object.assign(cancelled, { map: (mapper: (value: unknown) => unknown) => working.then(mapper) })
    })
    expect(await serve(add(1, 2))).toMatchObject({ status: 'aborted', error: { code: 'aborted' } })
    expect(begun.map(({ aborted }) => aborted)).toEqual([true])
    expect(await serve(pay(5))).toMatchObject({ status: 'succeeded', output: 'paid 5' })
  })

  test('CALL-7 is cancelled again and again: what a write came to is told', async () => {
    const { Tool } = registryWithTools()
    const cancelled = (): Promise<never> => Promise.reject(new CancelledError())
    const serve = await servedBy(Tool, (work) => {
      const ends = [cancelled(), cancelled(), work()]
      for (const end of ends) end.catch(() => {})
      return Object.assign(cancelled(), {
        map: (mapper: (value: unknown) => unknown) => ends.shift()?.then(mapper),
      })
    })
    expect(await serve(pay(5))).toMatchObject({ status: 'succeeded', output: 'paid 5' })
  })

  test('DUR-2 since the server was lost: a write that still runs is not made again, and what it came to is told', async () => {
    const { Tool, Activity } = registryWithTools()
    const signals: AbortSignal[] = []
    const paid: (() => void)[] = []
    Activity.register('pay', (_call, _tool, _context, { signal }) => {
      signals.push(signal)
      return new Promise((resolve) => paid.push(() => resolve('paid')))
    })
    const lost = new AbortController()
    let isLost = true
    const serve = await servedBy(
      Tool,
      (work) => {
        const done = work()
        return isLost ? new Promise(() => {}) : done
      },
      {},
      lost.signal,
    )
    void serve(pay(5))
    await vi.waitFor(() => expect(paid).toHaveLength(1))
    lost.abort()
    isLost = false
    const again = serve(pay(5))
    paid[0]?.()
    expect(await again).toMatchObject({ status: 'succeeded', output: 'paid' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    // What is recorded is forgotten: the next one of this id runs.
    const next = serve(pay(5))
    await vi.waitFor(() => expect(paid).toHaveLength(2))
    paid[1]?.()
    await next
    // A killed invocation that is made again has the same id: its Call may be another.
    isLost = true
    void serve(pay(5))
    await vi.waitFor(() => expect(paid).toHaveLength(3))
    isLost = false
    const other = serve(pay(6))
    await vi.waitFor(() => expect(paid).toHaveLength(4))
    paid[3]?.()
    expect(await other).toMatchObject({ call: pay(6), output: 'paid' })
  })

  test('DUR-2 a write that ended while the server was gone for long is not made again when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { Tool, ran } = registryWithTools()
    let done: Promise<unknown> | undefined
    const serve = await servedBy(Tool, (work) => {
      const isLost = done === undefined
      done = work()
      return isLost ? new Promise(() => {}) : done
    })
    void serve(pay(5))
    await vi.waitFor(async () => expect(await done).toBeDefined())
    await vi.advanceTimersByTimeAsync(50 * 60_000)
    expect(await serve(pay(5))).toMatchObject({ status: 'succeeded', output: 'paid 5' })
    expect(ran).toEqual([['pay', 5]])
  })
})

describe('DUR-1 a server that does not answer as it should', () => {
  afterEach(() => vi.useRealTimers())

  /** Runs a payment on a server that first answers so: with a status, or with nothing. */
  async function paidAfter(answers: readonly (number | 'lost' | 'proxy')[], options: RunOptions = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const there = registryWithTools()
    const { ingress } = await restateOf(there.Tool)
    const { Tool, Activity } = createRegistry({ tools: { pay: there.Tool.get('pay') as ToolSchema } })
    const asked: unknown[] = []
    const fetch = (async (url: string, init: RequestInit) => {
      const answer = answers[asked.length]
      asked.push(new Headers(init.headers).get('idempotency-key'))
      if (answer === 'lost') throw new TypeError('fetch failed')
      if (answer === 'proxy') return new Response('upstream connect error', { status: 503 })
      return answer === undefined ? ingress(url, init) : Response.json({ message: 'No.' }, { status: answer })
    }) as typeof globalThis.fetch
    restateActivities('http://localhost', { Tool, Activity, fetch })
    let outcome: Outcome | undefined
    void Tool.run(pay(5), { id: 'a', ...options }).then((ended) => {
      outcome = ended
    })
    while (!outcome) {
      await new Promise(setImmediate)
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    return { ...outcome, asked, ran: there.ran }
  }

  test.each([[['lost', 503, 'lost', 503, 'lost', 503]], [[503]]] as const)(
    '%j: asked again under the same key',
    async (answers) => {
      const { output, asked, ran } = await paidAfter(answers)
      expect([output, ran]).toEqual(['paid 5', [['pay', 5]]])
      expect(asked).toEqual(Array.from({ length: answers.length + 1 }, () => 'a'))
    },
  )

  test.each([
    [
      Array(20).fill('lost'),
      7,
      {
        code: 'connection_failed',
        message: expect.stringMatching(/fetch failed\. Whether the Call ran is not known/),
      },
    ],
    [
      ['proxy', ...Array(20).fill(503)],
      7,
      { message: expect.stringMatching(/503\. Whether the Call ran is not known/) },
    ],
    [Array(20).fill(503), 7, { code: 'connection_failed', message: expect.stringMatching(/503\.$/) }],
    [[500], 1, { code: 'connection_failed', message: expect.stringMatching(/status 500: No\.$/) }],
    [
      [404],
      1,
      { code: 'connection_failed', message: expect.stringMatching(/404: No\. Give .* the ingress/) },
    ],
    [[409], 1, { code: 'aborted', message: expect.stringMatching(/No\. Whether the Call ran is not known/) }],
  ])('%j: given up after %i', async (answers, times, error) => {
    const outcome = await paidAfter(answers)
    expect(outcome).toMatchObject({ error, ran: [] })
    expect(outcome.asked).toHaveLength(times)
  })

  test.each([
    [200, 50_000_000, /gave an answer of more than 33554432 characters\. Whether the Call ran is not/],
    [500, 1_000_000, /answered with status 500: .*\. Whether the Call ran is not known/s],
  ])('an answer %i without an end is not read for ever', async (status, most, told) => {
    const { body, bytesRead } = endlessBody()
    const { Tool, Activity } = createRegistry({
      tools: { pay: registryWithTools().Tool.get('pay') as ToolSchema },
    })
    restateActivities('http://localhost', {
      Tool,
      Activity,
      fetch: async () => new Response(body, { status }),
    })
    const { error } = await Tool.run(pay(5))
    expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringMatching(told) })
    expect(bytesRead()).toBeLessThan(most)
  })

  test('SERVE-4 a Call that JSON would change is not sent', async () => {
    const any = {
      type: 'object',
      properties: { _tool: { const: 'any' }, it: {} },
      required: ['_tool'],
    } as const
    const { Tool, Activity } = createRegistry({ tools: { any } })
    const fetch = vi.fn()
    restateActivities('http://localhost', { Tool, Activity, fetch })
    const { error } = await Tool.run({ _tool: 'any', it: Number.NaN })
    expect(error).toMatchObject({ code: 'invalid_call', problems: [{ path: '/it' }] })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('CALL-7 a Call that is over is not asked for again', async () => {
    const { error, asked } = await paidAfter(Array(20).fill('lost'), { timeout: 3000 })
    expect(error?.code).toBe('timeout')
    expect(asked.length).toBeLessThan(7)
  })
})

test('SCOPE-1 an Activity on Restate sees what its Call may see of the context', async () => {
  const audit = {
    type: 'object',
    properties: { _tool: { const: 'audit' }, _scopes: { const: ['state'] }, _output: {} },
  } as const
  const there = createRegistry({ tools: { audit } })
  there.Activity.register('audit', (_call, _tool, context) => context)
  const { ingress } = await restateOf(there.Tool)
  const { Tool, Activity } = createRegistry({ tools: { audit } })
  restateActivities('http://localhost', { Tool, Activity, fetch: ingress })
  const seen: Message = { type: 'state', state: { open: 1 } }
  const { output } = await Tool.run({ _tool: 'audit' }, { context: [seen, { type: 'input', input: 2 }] })
  expect(output).toEqual([seen])
})

describe('DUR-2 an invocation that is cancelled', () => {
  /** An executor of which each wait ends as it is told here. */
  function executorOf(
    waits: ('cancelled' | 'told')[],
    given?: (settings: RestateExecutorSettings) => Perform,
  ) {
    const { Tool, Activity, ran } = registryWithTools()
    const stopped: unknown[] = []
    const race = async (waiting: readonly unknown[]) => {
      if (waits.shift() === 'cancelled') throw new CancelledError()
      return waiting[0]
    }
    const mapped = (work: Promise<unknown>) => ({
      map: (mapper: (value: unknown) => unknown) => work.then(mapper),
    })
    const ctx = {
      request: () => ({}),
      run: (_entry: string, work: () => Promise<unknown>) => mapped(work()),
      genericCall: () => ({ ...mapped(new Promise(() => {})), invocationId: Promise.resolve('i') }),
      cancel: (id: unknown) => stopped.push(id),
    }
    const settings = {
      sdk: { CancelledError, RestatePromise: { race } },
      ctx,
      Tool,
      service: 'tools',
      sent: new Map([['add', { schema: Tool.get('add') }]]),
      local: new Set(['pay']),
      nextWrite: () => 1,
      contracts: new Map(),
      startedAt: 0,
      cancelled: new AbortController(),
    } as unknown as RestateExecutorSettings
    const perform: Perform = async (call, id) => (await Tool.run(call, { id })) as PerformedOutcome
    const executor = new RestateExecutor(settings, given?.(settings) ?? perform)
    const dispatch = (call: Call, policy: Partial<DispatchPolicy> = {}) =>
      executor.dispatch(call, 'r:1.0', { ...callPolicy(readerOf([]), {}), context: [], ...policy })
    return { executor, dispatch, ran, stopped, Activity }
  }

  test.each([
    ['write', 'succeeded'],
    ['read', 'aborted'],
  ] as const)('lets a %s that runs where the run is end as %s', async (effects, status) => {
    const { executor, dispatch, Activity } = executorOf(['cancelled', 'told'], ({ Tool, cancelled }) =>
      stepPerformer(Tool, {}, cancelled.signal),
    )
    Activity.register('pay', async () => {
      await new Promise(setImmediate)
      return 'paid'
    })
    expect((await executor.next([dispatch(pay(1), { effects })])).outcome).toMatchObject({ status })
  })

  test('does not send what was approved at that moment', async () => {
    const approved = { call: add(1, 2), isResolved: true }
    const { executor, dispatch } = executorOf(['cancelled', 'told'], () => async (call, id) => ({
      ...unstartedOutcome(call, id),
      approved,
    }))
    const step = dispatch(add(1, 2), { isAsked: true })
    expect((await executor.next([step])).outcome).toMatchObject({ status: 'aborted', attempts: 0 })
    expect(step.invocation).toBeUndefined()
  })

  test('tells what its Calls came to, starts no other, and ends when it is cancelled again', async () => {
    const { executor, dispatch, ran } = executorOf(['cancelled', 'told', 'cancelled'])
    const begun = dispatch(pay(1))
    expect((await executor.next([begun])).outcome).toMatchObject({ output: 'paid 1' })
    expect((await executor.next([dispatch(pay(2))])).outcome).toMatchObject({ status: 'aborted' })
    await expect(executor.next([begun])).rejects.toBeInstanceOf(CancelledError)
    expect(ran).toEqual([['pay', 1]])
  })

  test.each(['asks', 'pays'])(
    'ends an agent’s question, and not the payment that it let through: it %s',
    async (when) => {
      const { Tool, Activity } = registryWithTools()
      const cancelled = new AbortController()
      Activity.register('pay', async () => {
        cancelled.abort()
        await new Promise(setImmediate)
        return 'paid'
      })
      const endsByItself: ExecutorFactory = (perform) =>
        inProcessExecutor((call, key, policy) =>
          perform(call, key, { ...policy, context: policy.context, endsByItself: policy.kind === 'call' }),
        )
      const ask = async (): Promise<boolean> => {
        if (when === 'asks') cancelled.abort()
        await new Promise(setImmediate)
        return true
      }
      const client = scriptedModel([{ calls: [pay(5)] }])
      const run = {
        model: 'm',
        client,
        tools: Tool,
        output: { type: 'string' },
        signal: cancelled.signal,
      } as const
      const { result } = await Agent({ ...run, executor: endsByItself, confirm: { ask } }).catch(
        (error) => error,
      )
      expect(result.outcomes).toMatchObject([{ status: when === 'pays' ? 'succeeded' : 'aborted' }])
    },
  )

  test('cancels what it has sent', async () => {
    const { executor, dispatch, stopped } = executorOf([])
    await executor.cancel([dispatch(pay(1)), dispatch(add(1, 2))])
    expect(stopped).toEqual(['i'])
  })
})

test.each([
  [undefined, undefined],
  [5000, 2000],
  [1000, 1],
])('DUR-3 an Approval that expires at %s is waited for until then: %s', async (expiresAt, want) => {
  const waits: number[] = []
  const never = { map: () => new Promise(() => {}) }
  const sleep = (wait: number) => {
    waits.push(wait)
    return { map: (mapper: () => unknown) => Promise.resolve(mapper()) }
  }
  const given = { sdk: { RestatePromise: Promise }, ctx: { sleep }, promise: never, now: 3000 }
  const approval = { id: 'a', hash: 'h', expiresAt }
  const decision = waitForDecision({ ...given, approval } as unknown as Parameters<typeof waitForDecision>[0])
  expect(waits).toEqual(want === undefined ? [] : [want])
  if (want !== undefined) expect(await decision).toMatchObject({ approval: 'a', hash: 'h', approve: false })
})

describe('DUR-3 decisions by awakeables', () => {
  test('one about another Approval is refused, and its own asked for again', async () => {
    const { Tool, ran } = registryWithTools()
    const { handle, resolve } = await restateOf(Tool)
    const asked: ToldApproval[] = []
    const decide = ({ awakeable }: ToldApproval, { approval }: ToldApproval, approve = true): void =>
      resolve(awakeable, { approval: approval.id, hash: approval.hash, approve })
    const onApprovals = (told: readonly ToldApproval[]): void => {
      asked.push(...told)
      const [first, second] = told as [ToldApproval, ToldApproval?]
      // Somebody mixes up the two, and says no to the second.
      decide(first, second ?? first)
      if (second) decide(second, second, false)
    }
    const { outcomes } = await handle(({ agent }) =>
      agent({
        model: 'm',
        client: scriptedModel([{ calls: [pay(1), pay(2)] }, { output: 'done' }]),
        output: { type: 'string' },
        confirm: () => 'pending',
        onApprovals,
      }),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'refused'])
    expect(ran).toEqual([['pay', 1]])
    expect(asked.map(({ refused }) => refused)).toEqual([
      undefined,
      undefined,
      expect.stringContaining('which this run does not wait for'),
    ])
  })
})

describe('DUR-3 a run that waited, and ends without its output', () => {
  test('has in its error what had run before it waited as well', async () => {
    const { handle, resolve } = await restateOf(registryWithTools().Tool)
    const onApprovals = (told: readonly ToldApproval[]): void => {
      for (const { awakeable, approval } of told) {
        resolve(awakeable, { approval: approval.id, hash: approval.hash, approve: true })
      }
    }
    const ended = await handle(({ agent }) =>
      agent({
        model: 'm',
        client: scriptedModel([{ calls: [add(1, 2), pay(5)] }]),
        output: { type: 'string' },
        confirm: { effects: ['write'], ask: () => 'pending' },
        maxTurns: 1,
        onApprovals,
      }).catch((thrown: unknown) => thrown),
    )
    expect(ended).toMatchObject({
      code: 'limit_reached',
      result: { outcomes: [{ output: 3 }, { output: 'paid 5' }] },
    })
  })
})

describe('DUR-2 a handler that is repeated', () => {
  test('goes by what it found of its Calls before, though a Tool is off by now', async () => {
    const { Tool, ran } = registryWithTools()
    let isOn = true
    Tool.register('pay', Tool.get('pay') as ToolSchema, { enabled: () => isOn })
    const { handle } = await restateOf(Tool)
    const journal = new Journal()
    const all = () => handle(({ all }) => all([add(1, 2), pay(5)]), { journal })
    expect(await all()).toEqual([3, 'paid 5'])
    isOn = false
    expect(await all()).toEqual([3, 'paid 5'])
    // Both run at once, in any order.
    expect(ran.map(String).toSorted()).toEqual(['add,1,2', 'pay,5'])
    await expect(handle(({ all }) => all([add(1, 2), pay(5)]))).rejects.toThrow(/^unknown_tool: /)
  })
})

test('SERVE-4 a worker of another contract refuses the Call', async () => {
  const { Tool, ran } = registryWithTools()
  const { handle } = await restateOf(Tool)
  const outcome = await handle(({ run }) => {
    const { properties, ...schema } = Tool.get('pay') as ToolSchema
    Tool.register('pay', { ...schema, properties: { ...properties, amount: { type: 'integer' } } })
    return run(pay(5))
  })
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'contract_mismatch' } })
  expect(ran).toEqual([])
})

describe('REQ-8b an agent that comes to no output', () => {
  const failing = () => ({ model: 'm', client: scriptedModel([{ calls: [pay(5)] }]), maxTurns: 1 })
  const paid = [{ tool: 'pay', output: 'paid 5' }]

  test('as a workflow: what ran is in its result, with the error', async () => {
    const { Tool } = registryWithTools()
    const { run } = await restateOf(Tool, { agent: failing })
    expect(await run()).toMatchObject({ output: null, error: { code: 'limit_reached' }, outcomes: paid })
  })

  test('within a handler: the error has what ran, and what is waited for', async () => {
    const { Tool } = registryWithTools()
    const { handle } = await restateOf(Tool)
    const failed = handle(({ agent }) => agent(failing()).catch((error) => error.result))
    expect(await failed).toMatchObject({ outcomes: paid })
    const waiting = handle(({ agent }) =>
      agent({ ...failing(), confirm: () => 'pending' }).catch((error) => [error.code, error.result]),
    )
    expect(await waiting).toMatchObject([
      'approval_pending',
      { suspended: { approvals: [{ calls: [pay(5)] }] } },
    ])
  })
})

test('DUR-2 a run that is made again under its id does not take the Outcome of a Call that it did not ask for', async () => {
  const { Tool, ran } = registryWithTools()
  const { handle } = await restateOf(Tool)
  const again = (call: Call) => handle(({ run }) => run(call), { journal: new Journal() })
  expect(await again(pay(5))).toMatchObject({ status: 'succeeded', output: 'paid 5' })
  expect(await again(pay(7))).toMatchObject({
    status: 'failed',
    error: { code: 'connection_failed', message: expect.stringContaining('Another Call ran under the id') },
  })
  expect(ran).toEqual([['pay', 5]])
})

describe('REQ-9 a Call that runs elsewhere', () => {
  /** Sends every Call that was approved to another registry. */
  const elsewhere =
    (
      asked: PerformedOutcome[],
      run: (call: object, key: string) => Promise<PerformedOutcome>,
    ): ExecutorFactory =>
    (perform) =>
      inProcessExecutor(async (call, key, policy) => {
        if (policy.kind !== 'call') return perform(call, key, policy)
        if (!policy.isAsked) return run(call, key)
        const outcome = await perform(call, key, { ...policy, asksOnly: true })
        asked.push(outcome)
        return outcome.approved ? run(outcome.approved.call, key) : outcome
      })

  test('is checked and asked for here, with its References resolved, and does not run here', async () => {
    const here = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
    here.Activity.declare('pay', 'add')
    const there = registryWithTools()
    const asked: PerformedOutcome[] = []
    const seen: unknown[] = []
    const { output, outcomes, spent } = await Agent({
      model: 'm',
      tools: here.Tool,
      client: scriptedModel([
        { calls: [pay(1), pay(2), { _tool: 'pay', amount: '†state.rent' }, { _tool: 'pay', amount: 'x' }] },
        { output: 'done' },
      ]),
      context: [{ type: 'state', state: { rent: 700 } }],
      output: { type: 'string' },
      run: { elsewhere: true },
      confirm: (call) => {
        seen.push(call.amount)
        if (call.amount === 1) return { refuse: 'too little' }
        return call.amount === 2 ? { replace: { _tool: 'pay', amount: 3 } } : true
      },
      executor: elsewhere(asked, (call, id) =>
        there.Tool.run(call as { _tool: string }, { id, references: false }),
      ),
    })
    expect(output).toBe('done')
    expect(seen).toEqual([1, 2, 700])
    expect(there.ran).toEqual([
      ['pay', 3],
      ['pay', 700],
    ])
    asked.sort((left, right) => (left.id < right.id ? -1 : 1))
    expect(asked.map(({ approved }) => approved?.isResolved)).toEqual([undefined, false, true, undefined])
    expect(outcomes.map(({ error, output }) => error?.code ?? output)).toEqual([
      'refused',
      'paid 3',
      'paid 700',
      'invalid_call',
    ])
    expect(spent).toEqual({ turns: 2, calls: 4, tokens: 0 })
  })

  test.each([undefined, null, 'yes', 1, {}, { replace: null }, { refuse: 'no', replace: pay(1) }])(
    'the answer %j lets nothing run there',
    async (answer) => {
      const here = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
      here.Activity.declare('pay')
      const there = registryWithTools()
      const { outcomes } = await Agent({
        model: 'm',
        tools: here.Tool,
        client: scriptedModel([{ calls: [pay(1)] }, { output: 'done' }]),
        output: { type: 'string' },
        run: { elsewhere: true },
        confirm: () => answer as never,
        executor: elsewhere([], (call, id) => there.Tool.run(call as { _tool: string }, { id })),
      })
      expect(there.ran).toEqual([])
      expect(outcomes[0]?.status).toMatch(/^(failed|refused)$/)
    },
  )

  test('`elsewhere` lets a Call be checked whose Activity is not here, and starts nothing', async () => {
    const { Tool, Activity } = createRegistry({ tools: (await import('../agent/tools.ts')).tools })
    Activity.declare('pay')
    expect(await Tool.run(pay(1), { elsewhere: true })).toMatchObject({
      error: { code: 'no_implementation' },
    })
    const confirm = vi.fn(() => false)
    expect(await Tool.run(pay(1), { elsewhere: true, confirm })).toMatchObject({ status: 'refused' })
    expect(confirm).toHaveBeenCalledOnce()
    expect(await Tool.run(pay(1), { confirm })).toMatchObject({ error: { code: 'no_implementation' } })
    expect(confirm).toHaveBeenCalledOnce()
  })
})
