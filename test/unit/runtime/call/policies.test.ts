import { getEventListeners } from 'node:events'
import {
  type AnyActivity,
  type Call,
  type Confirmation,
  createContext,
  createRegistry,
  type Outcome,
  type RetryOptions,
  type RunOptions,
  tool,
} from 'callsheet'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deaf, registryOf, rejection, sleep, string, tools } from './harness.ts'

const call = { _tool: 'double', n: 1 }

describe('CALL-7 signal and timeout', () => {
  const stubborn: [string, AnyActivity][] = [
    ['an Activity that listens', (_call, _tool, _context, { signal }) => sleep(600_000, signal)],
    ['a deaf one', deaf],
  ]
  test.each(stubborn)('a timeout settles %s at once', async (_what, double) => {
    const { Tool } = registryOf({ double })
    const outcome = await Tool.run(call, { timeout: 10 })
    expect(outcome).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'timeout' } })
  })

  test.each(stubborn)('an abort settles %s at once, with the reason as its cause', async (_what, double) => {
    const { Tool } = registryOf({ double })
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'), 5)
    const outcome = await Tool.run(call, { signal: controller.signal })
    expect(outcome).toMatchObject({ status: 'aborted', error: { code: 'aborted', cause: 'enough' } })
  })

  test.each([
    ['write', true],
    [undefined, true],
    ['idempotent', false],
    ['read', false],
  ] as const)(
    'what is cut off says that it may go on, if it must not run twice: %s',
    async (effects, isSaid) => {
      const { Tool, Activity } = createRegistry({
        tools: { pay: { type: 'object', properties: {}, effects } },
      })
      Activity.register('pay', deaf)
      const pay = { _tool: 'pay' }
      const ended: Outcome[] = []
      Tool.on('call:end', (outcome) => void ended.push(outcome))
      await Tool.run(pay, { timeout: 5 })
      await Tool.run(pay, { signal: AbortSignal.timeout(5) })
      await Tool.all([pay, { _tool: 'pay' }], { timeout: 5 }).catch(() => {})
      expect(ended.map(({ error }) => error?.message.includes('may go on'))).toEqual(Array(4).fill(isSaid))
      await Tool.run(pay, { timeout: 5, confirm: () => new Promise(() => {}) })
      expect(ended.at(-1)?.error?.message, 'what never began does not').not.toContain('may go on')
    },
  )

  test('the Activity’s own signal says why', async () => {
    let reason: unknown
    const double: AnyActivity = (_call, _tool, _context, { signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
      })
      return deaf()
    }
    const { Tool } = registryOf({ double })
    await Tool.run(call, { timeout: 5 })
    expect(reason).toMatchObject({ code: 'timeout' })
  })

  test('a time of none lets nothing begin', async () => {
    const ran: unknown[] = []
    const { Tool } = registryOf({ double: ({ n }) => ran.push(n) })
    const outcome = await Tool.run(call, { timeout: 0 })
    expect(outcome).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'timeout' } })
    expect(ran).toEqual([])
  })

  test('a signal that has aborted already: nothing runs', async () => {
    const ran: unknown[] = []
    const { Tool } = registryOf({ double: ({ n }) => ran.push(n) })
    const outcome = await Tool.run(call, { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ status: 'aborted', attempts: 0 })
    expect(ran).toEqual([])
  })

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, Number.MAX_SAFE_INTEGER])(
    'a timeout of %d is long, not none',
    async (timeout) => {
      const { Tool } = registryOf({ double: () => sleep(10).then(() => 2) })
      expect(await Tool(call, { timeout })).toBe(2)
    },
  )

  test('limits hold while a hook is asked', async () => {
    const { Tool } = registryOf({ double: () => 2 })
    for (const hook of [{ before: deaf }, { confirm: deaf }]) {
      const outcome = await Tool.run(call, { ...hook, timeout: 5 })
      expect(outcome).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'timeout' } })
    }
  })

  test('the time that `before` took is gone for the Call', async () => {
    const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 60))
    const { Tool } = registryOf({ double: async () => (await slow()) ?? 2 })
    const outcome = await Tool.run(call, { before: slow, timeout: 100 })
    expect(outcome.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('100 ms') })
  })

  test('a long-lived signal collects no listeners', async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    const { Tool } = registryOf({ double: () => 2, read: () => Promise.reject(new Error('no')) })
    for (let run = 0; run < 20; run++) {
      await Tool.run(call, { signal })
      await Tool.run({ _tool: 'read', n: 1 }, { signal, before: async () => undefined })
      await Tool.run({ _tool: 'nope' }, { signal })
      await Tool.all([call, call], { signal })
    }
    expect(listeners).toBe(0)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('a signal that one Call is done with still stops another one', async () => {
    const controller = new AbortController()
    const { Tool } = registryOf({ double: deaf, read: () => 1 })
    const running = Tool.run(call, { signal: controller.signal, timeout: 10_000 })
    await Tool.run({ _tool: 'read', n: 1 }, { signal: controller.signal })
    controller.abort()
    expect((await running).error?.code).toBe('aborted')
  })

  test('a Call that is over leaves no timer, which would keep the process', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { Tool } = registryOf({ double: () => 2 })
    expect((await Tool.run(call, { timeout: 60_000 })).output).toBe(2)
    expect(await Tool.all([call, call], { timeout: 60_000 })).toEqual([2, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('one signal can stop any number of Calls, through one listener: Node warns at the eleventh', async () => {
    const controller = new AbortController()
    const { Tool } = registryOf({ double: deaf })
    const runs = Array.from({ length: 50 }, () => Tool.run(call, { signal: controller.signal }))
    const some = Tool.run(call, { signal: controller.signal, timeout: 1 })
    expect((await some).error?.code).toBe('timeout')
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(new Set((await Promise.all(runs)).map(({ status }) => status))).toEqual(new Set(['aborted']))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('what aborts while a hook or a policy decides keeps the next attempt from starting', async () => {
    const ran: unknown[] = []
    const failing: AnyActivity = ({ n }) => {
      ran.push(n)
      throw new Error('no')
    }
    const { Tool } = registryOf({ read: failing })
    const stopping = new AbortController()
    const when = () => {
      stopping.abort()
      return true
    }
    const retried = await Tool.run(
      { _tool: 'read', n: 1 },
      { signal: stopping.signal, retry: { attempts: 9, when } },
    )
    expect(retried).toMatchObject({ status: 'aborted', attempts: 1 })

    const refusing = new AbortController()
    const confirm = () => {
      queueMicrotask(() => refusing.abort())
      return true
    }
    const confirmed = await Tool.run({ _tool: 'read', n: 2 }, { signal: refusing.signal, confirm })
    expect(confirmed).toMatchObject({ status: 'aborted', attempts: 0 })
    expect(ran).toEqual([1])
  })

  test('OUT-6 a timeout takes the alternative, an abort does not', async () => {
    const { Tool } = registryOf({ double: deaf })
    const branching = { ...call, _outputPath: '†state.ok || †state.error' }
    const late = await Tool.run(branching, { timeout: 5 })
    expect(late.appended).toMatchObject([{ data: { error: { code: 'timeout' } } }])
    const aborted = await Tool.run(branching, { signal: AbortSignal.timeout(5) })
    expect(aborted.appended).toEqual([])
  })
})

describe('CALL-7 retry', () => {
  /** Fails so often, then succeeds; tells of each attempt. */
  function flaky(failures: number, seen: { id: string; attempt: number }[]): AnyActivity {
    return (_call, _tool, _context, { id, attempt }) => {
      seen.push({ id, attempt })
      if (attempt <= failures) throw new Error(`attempt ${attempt}`)
      return attempt
    }
  }

  test('the same id on every attempt, numbers from 1, an event for each that follows', async () => {
    const seen: { id: string; attempt: number }[] = []
    const retried: unknown[] = []
    const { Tool } = registryOf({ read: flaky(2, seen) })
    Tool.on('activity:retry', (event) => retried.push([event.id, event.attempt, event.error.message]))
    const outcome = await Tool.run({ _tool: 'read', n: 1 }, { retry: { attempts: 3 } })
    expect(outcome).toMatchObject({ status: 'succeeded', output: 3, attempts: 3 })
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set([outcome.id]))
    expect(retried).toEqual([
      [outcome.id, 1, 'Activity "read" failed on "read": attempt 1'],
      [outcome.id, 2, 'Activity "read" failed on "read": attempt 2'],
    ])
  })

  test('the last error when none is left', async () => {
    const { Tool } = registryOf({ read: flaky(9, []) })
    const outcome = await Tool.run({ _tool: 'read', n: 1 }, { retry: { attempts: 3 } })
    expect(outcome).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: { cause: { message: 'attempt 3' } },
    })
  })

  const repeatable: [string, string | undefined, boolean | undefined, number][] = [
    ['read', 'read', undefined, 3],
    ['idempotent', 'idempotent', undefined, 3],
    ['not said', undefined, undefined, 1],
    ['write', 'write', undefined, 1],
    ['not said, allowed', undefined, true, 3],
    ['write, allowed', 'write', true, 3],
  ]
  test.each(repeatable)('TOOL-9 effects %s', async (_what, effects, allowEffects, attempts) => {
    const tool = { ...tools.double, ...(effects && { effects }) }
    const { Tool } = registryOf({ double: flaky(9, []) }, { tools: { tool } })
    const retry = { attempts: 3, ...(allowEffects && { allowEffects }) }
    expect((await Tool.run(call, { retry })).attempts).toBe(attempts)
  })

  test('TOOL-9 a model that answers badly has done nothing, and is asked again whatever the Tool says', async () => {
    const properties = { _tool: { const: 'guess' }, _activity: { const: '' }, _output: { type: 'number' } }
    const { Tool } = createRegistry({ tools: { guess: { type: 'object', effects: 'write', properties } } })
    let asked = 0
    const model = { answer: async () => (++asked < 3 ? 'no number' : 7) }
    const retry = { attempts: 3 }
    expect(await Tool.run({ _tool: 'guess' }, { model, retry })).toMatchObject({ output: 7, attempts: 3 })
    // Its own prediction is the same again.
    const predicted = { _tool: 'guess', _output: 'no number' }
    expect(await Tool.run(predicted, { model, retry })).toMatchObject({ status: 'failed', attempts: 1 })
  })

  test.each<[string, RetryOptions['backoff'], number[]]>([
    ['milliseconds', 20_000, [20_000, 20_000]],
    ['a function of the attempt that failed', (attempt) => attempt * 20_000, [20_000, 40_000]],
    ['none', undefined, []],
  ])('backoff waits between attempts: %s', async (_what, backoff, waits) => {
    const seen: { id: string; attempt: number }[] = []
    const { Tool } = registryOf({ read: flaky(2, seen) })
    await Tool({ _tool: 'read', n: 1 })
      .catch(() => undefined)
      .then(() => seen.splice(0))
    vi.useFakeTimers()
    try {
      const done = Tool({ _tool: 'read', n: 1 }, { retry: { attempts: 3, ...(backoff && { backoff }) } })
      for (const [index, wait] of waits.entries()) {
        await vi.advanceTimersByTimeAsync(wait - 1)
        expect(seen).toHaveLength(index + 1)
        await vi.advanceTimersByTimeAsync(1)
        expect(seen).toHaveLength(index + 2)
      }
      expect(await done).toBe(3)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('when says which errors are worth it', async () => {
    const { Tool } = registryOf({ read: flaky(9, []) })
    const when = (error: { cause?: unknown }, attempt: number) =>
      attempt < 2 && (error.cause as Error).message === 'attempt 1'
    const outcome = await Tool.run({ _tool: 'read', n: 1 }, { retry: { attempts: 9, when } })
    expect(outcome.attempts).toBe(2)
  })

  test('an invalid output is worth it, an invalid Call is not', async () => {
    let count = 0
    const { Tool } = registryOf({ read: () => (++count < 3 ? 'wrong' : count) })
    expect(await Tool({ _tool: 'read', n: 1 }, { retry: { attempts: 5 } })).toBe(3)
    const invalid = await Tool.run({ _tool: 'read', n: 'x' }, { retry: { attempts: 5 } })
    expect(invalid.attempts).toBe(0)
  })

  test.each<[string, () => unknown]>([
    ['a promise', () => Promise.reject(new Error('late'))],
    ['a bigint', () => 1n],
    ['a symbol', () => Symbol('soon')],
    ['what throws as a number', () => ({ valueOf: () => expect.fail('asked for its value') })],
    ['nothing', () => undefined],
    ['no number', () => Number.NaN],
  ])('a backoff that returns %s ends the Call with what it should return', async (_what, backoff) => {
    const { Tool, Activity } = createRegistry({
      tools: { flaky: { type: 'object', effects: 'read', properties: { _tool: { const: 'flaky' } } } },
    })
    Activity.register('flaky', () => {
      throw new Error('again')
    })
    const retry = { attempts: 3, backoff: backoff as () => number }
    const { status, attempts, error } = await Tool.run({ _tool: 'flaky' }, { retry })
    expect({ status, attempts, code: error?.code }).toEqual({
      status: 'failed',
      attempts: 1,
      code: 'invalid_options',
    })
    expect(error?.message).toContain('`retry.backoff` answered ')
  })

  test.each<[string, () => unknown]>([
    ['`retry.when`', () => Promise.reject(new Error('late'))],
    ['`retry.when`', () => 'no'],
    ['The policy of Activity "read"', () => Promise.reject(new Error('late'))],
    ['The policy of Activity "read"', () => 5],
  ])('%s that answers with something else ends the Call, and no process', async (whose, answer) => {
    const { Tool } = registryOf({ read: flaky(9, []) })
    const options = whose.startsWith('The')
      ? { policy: { read: answer as () => string } }
      : { retry: { attempts: 3, when: answer as () => boolean } }
    const { attempts, error } = await Tool.run({ _tool: 'read', n: 1 }, options)
    expect(error?.code).toBe('invalid_options')
    expect(error?.message).toContain(`${whose} answered `)
    expect(attempts).toBeLessThan(2)
  })

  test('what a model predicted does not keep an Activity that failed from another attempt', async () => {
    const { Tool } = registryOf({ read: flaky(1, []) })
    const predicted = { _tool: 'read', n: 1, _output: 9 }
    expect(await Tool.run(predicted, { retry: { attempts: 2 } })).toMatchObject({
      status: 'succeeded',
      attempts: 2,
    })
  })

  test('nobody is asked again where there is no model to ask', async () => {
    const properties = { _tool: { const: 'guess' }, _activity: { const: '' }, _output: { type: 'number' } }
    const { Tool } = createRegistry({ tools: { guess: { type: 'object', effects: 'read', properties } } })
    const asked: number[] = []
    const backoff = (attempt: number) => asked.push(attempt)
    const outcome = await Tool.run({ _tool: 'guess' }, { retry: { attempts: 3, backoff } })
    expect(outcome.error?.code).toBe('no_model')
    expect(asked).toEqual([])
  })

  test('an abort ends a backoff, and leaves no timer of it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { Tool } = registryOf({ read: flaky(9, []) })
    const controller = new AbortController()
    const retry = { attempts: 9, backoff: 600_000 }
    const running = Tool.run({ _tool: 'read', n: 1 }, { retry, signal: controller.signal })
    await vi.advanceTimersByTimeAsync(10)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort()
    expect((await running).error?.code).toBe('aborted')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a timeout is of all attempts together, and ends a backoff', async () => {
    const { Tool } = registryOf({ read: flaky(9, []) })
    const retry = { attempts: 9, backoff: 600_000 }
    const outcome = await Tool.run({ _tool: 'read', n: 1 }, { retry, timeout: 10 })
    expect(outcome).toMatchObject({ attempts: 1, error: { code: 'timeout' } })
  })

  test('what `when` or `backoff` throws ends the Call, and not the process', async () => {
    const broken = () => {
      throw new Error('broken policy')
    }
    const { Tool } = registryOf({ read: flaky(9, []) })
    for (const retry of [
      { attempts: 2, when: broken },
      { attempts: 2, backoff: broken },
    ]) {
      const outcome = await Tool.run({ _tool: 'read', n: 1 }, { retry })
      expect(outcome).toMatchObject({ status: 'failed', error: { cause: { message: 'broken policy' } } })
    }
  })
})

describe('REQ-9 confirm', () => {
  const confirmed = async (answer: unknown, given: Call = call) => {
    const ran: unknown[] = []
    const activity: AnyActivity = (own) => {
      ran.push(own)
      return own.n * 2
    }
    const { Tool, events } = registryOf({ double: activity, read: activity })
    const outcome = await Tool.run(given, { confirm: () => answer as Confirmation })
    return { outcome, ran, events }
  }

  test('true approves', async () => {
    const { outcome, ran } = await confirmed(true)
    expect(outcome.output).toBe(2)
    expect(ran).toHaveLength(1)
  })

  test.each([
    [false, 'The Call of "double" was refused.'],
    [{ refuse: 'too dear' }, 'The Call of "double" was refused: too dear.'],
    [{ refuse: '' }, 'The Call of "double" was refused.'],
    [{ refuse: 'too dear', replace: call }, 'The Call of "double" was refused: too dear.'],
  ])('%j refuses', async (answer, message) => {
    const { outcome, ran } = await confirmed(answer)
    expect(outcome).toMatchObject({ status: 'refused', attempts: 0, error: { code: 'refused', message } })
    expect(ran).toEqual([])
  })

  test('another Call takes its place: one start, one end, one id', async () => {
    const replace = { _tool: 'read', n: 5 }
    const { outcome, ran, events } = await confirmed({ replace })
    expect(outcome).toMatchObject({ output: 10, call: replace, tool: 'read' })
    expect(ran).toEqual([replace])
    expect(events.started).toHaveLength(1)
    expect(events.ended).toHaveLength(1)
    expect(events.started[0]?.id).toBe(outcome.id)
  })

  test.each<[string, RunOptions, unknown]>([
    ['by default', {}, ['†state.secret', '†state.secret', '††x', 'hunter2', 'plain']],
    [
      'with some References alone',
      { references: ['state'] },
      ['†state.secret', '†state.secret', '††x', 'hunter2', 'plain'],
    ],
  ])('REF-1 in which the texts that were shown are no References: %s', async (_, options, want) => {
    const texts = { type: 'array', items: string }
    const { Tool, Activity } = createRegistry({ tools: { note: tool('note', { texts }) } })
    const ran: unknown[] = []
    Activity.register('note', (own) => void ran.push(own.texts))
    const context = [
      { type: 'state' as const, state: { secret: 'hunter2', page: '†state.secret', x: '††x' } },
    ]
    const given = { _tool: 'note', texts: ['†state.page', '††state.secret', '†state.x'] }
    const confirm = ({ texts: shown, ...rest }: Call) => ({
      replace: { ...rest, texts: [...(shown as string[]), '†state.secret || †state.none', 'plain'] },
    })
    const outcome = await Tool.run(given, { ...options, context, confirm })
    expect(ran).toEqual([want])
    // As it is recorded, it runs again and does the same.
    await Tool.run(outcome.call, { ...options, context })
    expect(ran).toEqual([want, want])
  })

  test('REF-1 in which nothing is escaped where nothing is a Reference', async () => {
    const silent = { ...tool('silent', { text: string }), references: false }
    const { Tool, Activity } = createRegistry({ tools: { note: tools.note, silent } })
    const ran: unknown[] = []
    for (const name of ['note', 'silent']) Activity.register(name, (own) => void ran.push(own.text))
    const confirm = (own: Call): Confirmation => ({ replace: { ...own } })
    await Tool.run({ _tool: 'silent', text: '†a' }, { confirm })
    await Tool.run({ _tool: 'note', text: '†a' }, { confirm, references: false })
    expect(ran).toEqual(['†a', '†a'])
  })

  test('which passes every check of its own', async () => {
    const { outcome, ran } = await confirmed({ replace: { _tool: 'read', n: 'five' } })
    expect(outcome.error?.code).toBe('invalid_call')
    expect(ran).toEqual([])
  })

  test.each([undefined, null, 'yes', 1, {}, { replace: null }])('%j approves nothing', async (answer) => {
    const { outcome, ran } = await confirmed(answer)
    expect(outcome.status).toBe('failed')
    expect(ran).toEqual([])
  })

  test('is told what would run, and changes nothing by changing what it is told', async () => {
    const seen: unknown[] = []
    const { Tool } = registryOf({ double: ({ n }) => n * 2 })
    const context = createContext([{ type: 'state', state: { n: 4 } }])
    const outcome = await Tool.run(
      { ...call, n: '†state.n' },
      {
        context,
        confirm: (own, info) => {
          seen.push({ ...own }, { ...info })
          own.n = 'not a number'
          return true
        },
      },
    )
    expect(outcome.output).toBe(8)
    const { id } = outcome
    const tool = Tool.get('double')
    expect(seen).toEqual([
      { _tool: 'double', n: 4 },
      { id, tool, mode: 'explicit', activity: 'double', context: [] },
    ])
  })

  test('one that throws fails the Call', async () => {
    const confirm = () => {
      throw new Error('nobody there')
    }
    const { Tool } = registryOf({ double: () => 2 })
    const outcome = await Tool.run(call, { confirm })
    expect(outcome).toMatchObject({
      status: 'failed',
      attempts: 0,
      error: { cause: { message: 'nobody there' } },
    })
  })

  test('is not asked of a Call that cannot run', async () => {
    let asked = false
    const { Tool } = registryOf({})
    await Tool.run({ _tool: 'nope' }, { confirm: () => (asked = true) })
    expect(asked).toBe(false)
  })
})

describe('options that would silently mean something else', () => {
  const wrong: [string, unknown][] = [
    ['/timeout', { timeout: -1 }],
    ['/timeout', { timeout: Number.NaN }],
    ['/concurrency', { concurrency: 0 }],
    ['/concurrency', { concurrency: 1.5 }],
    ['/retry/attempts', { retry: {} }],
    ['/retry/attempts', { retry: { attempts: Number.NaN } }],
    ['/retry/attempts', { retry: { attempts: 0 } }],
    ['/retry', { retry: null }],
    ['/context', { context: 'state' }],
    ['/context', { context: {} }],
    ['/context', { context: null }],
  ]
  test.each(wrong)('%s of %j', async (path, options) => {
    const { Tool, events } = registryOf({ double: () => 2 })
    const expected = expect.objectContaining({
      code: 'invalid_options',
      problems: [expect.objectContaining({ path })],
    })
    await expect(Tool(call, options as RunOptions)).rejects.toEqual(expected)
    for (const strategy of ['all', 'any', 'race'] as const) {
      await expect(Tool[strategy]([call], options as RunOptions)).rejects.toEqual(expected)
    }
    expect(() => registryOf({}, options as RunOptions)).toThrow(expected)
    expect(events.started).toEqual([])
  })

  test('options of the registry are the defaults of a run, and a run’s own stand over them', async () => {
    const { Tool } = registryOf({ double: deaf }, { timeout: 5 })
    expect(await rejection(Tool(call))).toMatchObject({ message: expect.stringContaining('5 ms') })
    expect(await rejection(Tool(call, { timeout: 6 }))).toMatchObject({
      message: expect.stringContaining('6 ms'),
    })
    expect(await rejection(Tool.all([call]))).toMatchObject({ code: 'timeout' })
  })
})
