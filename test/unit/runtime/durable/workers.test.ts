import { type RestateSdk, restateServices } from 'callsheet/restate'
import { temporalActivities } from 'callsheet/temporal'
import { describe, expect, test } from 'vitest'
import { registryWithTools } from '../agent/tools.ts'

const Context = {
  current: () => ({
    info: { attempt: 1 },
    cancellationSignal: new AbortController().signal,
    heartbeat() {},
  }),
}

/** As much of Restate's SDK as makes services. */
const sdk = {
  service: (definition: object) => definition,
  workflow: (definition: object) => definition,
} as unknown as RestateSdk

interface WorkerOptions {
  /** Where an engine has its attempts, with what it expects them to be. */
  readonly attempts?: unknown
  readonly [option: string]: unknown
}

/** A worker of each engine, made with options that no type has checked. */
const workers: [string, (options: WorkerOptions) => Promise<unknown>][] = [
  [
    'Restate',
    async ({ attempts, ...options }) =>
      restateServices({
        ...{ Tool: registryWithTools().Tool, sdk },
        ...(attempts !== undefined && { retry: { attempts } }),
        ...(options as object),
      } as never),
  ],
  [
    'Temporal',
    async (options) =>
      temporalActivities({ ...{ Tool: registryWithTools().Tool, Context }, ...(options as object) } as never),
  ],
]

describe.each(workers)('DUR-1 DUR-4 a worker of %s', (_, worker) => {
  test.each(['retry', 'references', 'timeout', 'approved', 'elsewhere', 'concurrency'])(
    'refuses `%s` of served Calls, which the engine, the request or nobody goes by',
    async (option) => {
      const serve = { missingActivity: 'error', [option]: 1 }
      await expect(worker({ serve })).rejects.toMatchObject({
        code: 'invalid_options',
        problems: [{ path: `/serve/${option}`, expected: 'no such property' }],
      })
    },
  )

  test.each([0, 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, '1000'])(
    'refuses a `timeout` of %s, which bounds nothing',
    async (timeout) => {
      await expect(worker({ timeout })).rejects.toMatchObject({
        code: 'invalid_options',
        problems: [{ path: '/timeout', expected: 'a finite number of milliseconds from 1' }],
      })
    },
  )

  test.each([0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3'])(
    'refuses %s attempts, which nobody could count',
    async (attempts) => {
      await expect(worker({ attempts })).rejects.toMatchObject({
        code: 'invalid_options',
        problems: [{ expected: 'a whole number from 1' }],
      })
    },
  )

  test.each([
    ['no function', { payer: { model: 'm' } }],
    ['a list', [() => ({ model: 'm' })]],
    ['a Map', new Map([['payer', () => ({ model: 'm' })]])],
    ['inherited', Object.create({ payer: () => ({ model: 'm' }) })],
  ])('refuses agents that nobody could start: %s', async (_, agents) => {
    await expect(worker({ agents })).rejects.toMatchObject({
      code: 'invalid_options',
      problems: [{ path: '/agents', expected: 'functions that give the options of agents, by name' }],
    })
  })

  test('takes what is right', async () => {
    const agents = { payer: () => ({ model: 'm' }) }
    const serve = { missingActivity: 'error', principal: 'ada' }
    await expect(worker({ timeout: 1, attempts: 1, agents, serve })).resolves.toBeTruthy()
  })
})
