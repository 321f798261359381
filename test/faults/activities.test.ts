// biome-ignore-all lint/suspicious/noThenProperty: Activities that return such things are what is tested
import { type AnyActivity, createContext, createRegistry, isCallsheetError, tool } from 'callsheet'
import { afterAll, beforeAll, expect, test } from 'vitest'

const act = tool('act', { _outputPath: { type: 'string' }, _output: true }, { effects: 'read' })

const cyclic: Record<string, unknown> = { name: 'round' }
cyclic.self = cyclic
const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
const throwing = Object.defineProperty({}, 'value', {
  enumerable: true,
  get() {
    throw new Error('gotcha')
  },
})
const timers: NodeJS.Timeout[] = []

/** Each with the status that one Call of it comes to, under a limit of 50 ms where it would never end. */
const activities: readonly (readonly [what: string, activity: AnyActivity, want: string])[] = [
  [
    'throws at once',
    () => {
      throw new Error('no')
    },
    'activity_failed',
  ],
  [
    'throws what is no error',
    () => {
      throw Object.create(null)
    },
    'activity_failed',
  ],
  ['rejects with nothing', () => Promise.reject(), 'activity_failed'],
  ['returns what contains itself', () => cyclic, 'invalid_output'],
  ['returns what is nested 20,000 deep', () => deep, 'invalid_output'],
  ['returns a property that throws', () => throwing, 'invalid_output'],
  [
    'returns a proxy that throws',
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    'invalid_output',
  ],
  ['returns a big integer', () => ({ value: 1n }), 'invalid_output'],
  ['returns a function', () => ({ value: () => 1 }), 'invalid_output'],
  ['returns 20 MB of text', () => 'x'.repeat(20_000_000), 'succeeded'],
  ['returns a million numbers', () => Array.from({ length: 1_000_000 }, (_, index) => index), 'succeeded'],
  ['returns a thenable that never settles', () => ({ then() {} }), 'timeout'],
  [
    'returns a thenable that throws',
    () => ({
      then() {
        throw new Error('no')
      },
    }),
    'activity_failed',
  ],
  [
    'returns a thenable that settles twice',
    () => ({
      then(done: (value: unknown) => void) {
        done(1)
        done(2)
      },
    }),
    'succeeded',
  ],
  ['hangs', () => new Promise(() => {}), 'timeout'],
  [
    'leaks a timer that never stops',
    () => {
      timers.push(setInterval(() => {}, 1))
      return 1
    },
    'succeeded',
  ],
  [
    'rejects after it was given up',
    (_call, _tool, _context, run) =>
      new Promise((_, reject) => {
        run.signal.addEventListener('abort', () => setTimeout(() => reject(new Error('late')), 5))
      }),
    'timeout',
  ],
  [
    'reports progress after its end',
    (_call, _tool, _context, run) => {
      setTimeout(() => run.emit({ late: true }), 1)
      return 1
    },
    'succeeded',
  ],
  [
    'throws in a listener of its signal',
    (_call, _tool, _context, run) =>
      new Promise(() => {
        run.signal.addEventListener('abort', () => {
          setTimeout(() => {}, 0)
        })
      }),
    'timeout',
  ],
]

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => {
  for (const timer of timers) clearInterval(timer)
  process.off('unhandledRejection', note)
})

test.each(activities)(
  'CALL-8 an Activity that %s: one Outcome, its siblings and the context unharmed',
  async (_what, activity, want) => {
    const { Tool, Activity } = createRegistry({ tools: { act, fine: tool('fine', { _output: true }) } })
    Activity.register('act', activity)
    Activity.register('fine', () => 'fine')
    const ended: string[] = []
    Tool.on('call:end', ({ tool: name, status }) => ended.push(`${name} ${status}`))
    const context = createContext()
    const [outcome, sibling] = await Promise.all([
      Tool.run(
        { _tool: 'act', _outputPath: '†state.out' },
        { context, timeout: want === 'timeout' ? 50 : 20_000 },
      ),
      Tool.run({ _tool: 'fine' }, { context }),
    ])
    expect(outcome.error?.code ?? outcome.status).toBe(want)
    if (outcome.error) expect(isCallsheetError(outcome.error)).toBe(true)
    expect(sibling.output).toBe('fine')
    expect(ended).toHaveLength(2)
    expect(context.messages).toHaveLength(want === 'succeeded' ? 1 : 0)
    // The late ones have had their time.
    await new Promise((passed) => setTimeout(passed, 20))
    expect(ended).toHaveLength(2)
    expect(unhandled).toEqual([])
  },
)

const refusedTwice = [
  new Error('connect ECONNREFUSED ::1:5432'),
  new Error('connect ECONNREFUSED 127.0.0.1:5432'),
]
test.each([
  [
    'of several addresses',
    new AggregateError(refusedTwice),
    'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
  ],
  ['with a code alone', Object.assign(new Error(), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
  ['with a name alone', new DOMException('', 'AbortError'), 'AbortError'],
  ['with nothing', { message: '', name: '' }, '{"message":"","name":""}'],
])('CALL-8 an error without a message, %s: the Outcome says what it can', async (_what, thrown, want) => {
  const { Tool, Activity } = createRegistry({ tools: { act } })
  Activity.register('act', () => Promise.reject(thrown))
  const { error } = await Tool.run({ _tool: 'act', _outputPath: '†state.out' }, { retry: { attempts: 1 } })
  expect(error?.message).toBe(`Activity "act" failed on "act": ${want}`)
})
