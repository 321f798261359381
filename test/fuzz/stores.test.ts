import { createRegistry } from 'callsheet'
import { memoryStore, type OutcomeStore, toolServer } from 'callsheet/server'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

type Operation = 'claim' | 'finish' | 'release'

/** A store that takes its time, and fails now and then before or after it did what it was asked for, until it recovers. */
function unreliable(
  failures: readonly {
    readonly at: Operation
    readonly ticks: number
    readonly when: 'before' | 'after' | 'never'
  }[],
): OutcomeStore & { readonly kept: OutcomeStore; recover(): void } {
  const kept = memoryStore()
  const left = [...failures]
  const asked = async <Result>(
    operation: Operation,
    work: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const place = left.findIndex(({ at }) => at === operation)
    const [fault] = place < 0 ? [] : left.splice(place, 1)
    for (let tick = 0; tick < (fault?.ticks ?? 0); tick++) await new Promise(setImmediate)
    if (fault?.when === 'before') throw new Error(`the store is down: ${operation}`)
    const result = await work()
    for (let tick = 0; tick < (fault?.ticks ?? 0); tick++) await new Promise(setImmediate)
    if (fault?.when === 'after') throw new Error(`the store went down: ${operation}`)
    return result
  }
  return {
    keeps: kept.keeps,
    kept,
    recover: () => void left.splice(0),
    claim: (key, fingerprint) => asked('claim', () => kept.claim(key, fingerprint)),
    finish: (key, outcome) => asked('finish', () => kept.finish(key, outcome)),
    release: (key) => asked('release', () => kept.release(key)),
  }
}

const tool = (name: string, effects: 'read' | 'write') => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, _output: { type: 'integer' } },
  required: ['_tool'],
})

const client = fc.record({
  tool: fc.constantFrom('pay', 'look'),
  id: fc.constantFrom('a', 'b'),
  after: fc.nat(6),
  leavesAfter: fc.option(fc.nat(6), { freq: 2 }),
})

fuzz(
  'SERVE-5 a write runs once for each id and is kept at last, and everybody who stays is answered, whatever the store does',
  60,
  fc.record({
    clients: fc.array(client, { minLength: 2, maxLength: 12 }),
    failures: fc.array(
      fc.record({
        at: fc.constantFrom<Operation>('claim', 'finish', 'release'),
        ticks: fc.nat(3),
        when: fc.constantFrom('before', 'after', 'never'),
      }),
      { maxLength: 12 },
    ),
    /** The store takes its time, and never fails. */
    isSlowAlone: fc.boolean(),
    /** Somebody asks for every id when all is quiet; otherwise the store has to be told without that. */
    isAskedLater: fc.boolean(),
    concurrency: fc.integer({ min: 1, max: 3 }),
    queue: fc.nat(3),
  }),
  async ({ clients, failures: given, isSlowAlone, isAskedLater, concurrency, queue }) => {
    const failures = isSlowAlone ? given.map((each) => ({ ...each, when: 'never' as const })) : given
    const { Tool, Activity } = createRegistry({
      tools: { pay: tool('pay', 'write'), look: tool('look', 'read') },
    })
    const paid = new Map<string, number>()
    Activity.register('pay', async (_call, _tool, _context, run) => {
      await new Promise(setImmediate)
      const times = (paid.get(run.id) ?? 0) + 1
      paid.set(run.id, times)
      return times
    })
    Activity.register('look', async (_call, _tool, _context, run) => {
      for (let tick = 0; tick < 3; tick++) await new Promise(setImmediate)
      run.signal.throwIfAborted()
      return 0
    })
    const faults: unknown[] = []
    const store = unreliable(failures)
    const server = toolServer(Tool, {
      store,
      limits: { concurrency, queue, drainTime: 200, callTime: 150 },
      onError: (error) => faults.push(error),
    })
    const ask = async ({
      tool: name,
      id,
      after,
      leavesAfter,
    }: (typeof clients)[number]): Promise<unknown> => {
      for (let tick = 0; tick < after; tick++) await new Promise(setImmediate)
      const leaving = new AbortController()
      const asked = server(
        new Request('http://localhost/calls', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ call: { _tool: name }, id: `${name}-${id}` }),
          signal: leaving.signal,
        }),
      )
      for (let tick = 0; tick < (leavesAfter ?? 0); tick++) await new Promise(setImmediate)
      if (leavesAfter !== null) leaving.abort()
      const response = await asked
      return leavesAfter === null ? { status: response.status, body: await response.json() } : undefined
    }
    const answers = (await Promise.all(clients.map(ask))).filter((answer) => answer !== undefined)
    for (const answer of answers) {
      const { status, body } = answer as { status: number; body: { error?: { code: string } } }
      expect([200, 429, 500], JSON.stringify(answer)).toContain(status)
      // `aborted` is for those alone who left; a slow machine makes a `timeout` of it.
      if (status === 200 && body.error?.code !== 'timeout')
        expect(body).toMatchObject({ status: 'succeeded' })
    }
    expect(Math.max(0, ...paid.values()), 'payments of one id').toBeLessThanOrEqual(1)
    // Whoever asks when all is quiet gets the Outcome, or learns that the store fails or says that somebody else has the key.
    const asked = [...clients.map(({ tool: name, id }) => [name, id] as const), ['pay', 'a'] as const]
    for (const [name, id] of isAskedLater ? asked : []) {
      const later = await ask({ tool: name, id, after: 0, leavesAfter: null })
      expect(isSlowAlone ? [200] : [200, 429, 500]).toContain((later as { status: number }).status)
    }
    expect(Math.max(0, ...paid.values())).toBeLessThanOrEqual(1)
    const before = failures.filter(({ when }) => when !== 'never').length
    expect(faults.length === 0 || before > 0).toBe(true)
    store.recover()
    await server.close()
    for (const key of paid.keys())
      expect(await store.kept.claim(key, ''), 'what was paid is kept at last').toMatchObject({
        status: 'finished',
      })
  },
)
