// biome-ignore-all lint/suspicious/noThenProperty: Activities that return such things are what is tested
import {
  type ActivityFunction,
  branch,
  type Call,
  createContext,
  message,
  type Outcome,
  type RunOptions,
} from 'callsheet'

type Act = ActivityFunction<Call, unknown>

const never = new Promise<never>(() => {})
const cycle: Record<string, unknown> = {}
cycle.self = cycle

/** Lets some microtasks pass. */
export async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await undefined
}

function throwing(value: unknown): () => never {
  return () => {
    throw value
  }
}

/** A property that cannot be read. */
function trap(name: string, error: unknown = new Error('trap')): object {
  return Object.defineProperty({}, name, { enumerable: true, get: throwing(error) })
}

const unfriendly = { toString: throwing(new Error('no text')), message: 5, code: {} }

/** What Activities do; each that ends does so within some milliseconds. */
export const activities: Readonly<Record<string, Act>> = {
  answers: () => ({ a: 1 }),
  'answers later': async () => {
    await ticks(3)
    return [1, { b: null }]
  },
  'answers after a timer': (_call, _tool, _context, run) =>
    new Promise((done) => setTimeout(() => done(run.attempt), 1)),
  throws: throwing(new Error('broken')),
  'throws nothing': throwing(undefined),
  'throws what has no text': throwing(unfriendly),
  'throws what cannot be read': throwing(trap('message')),
  'rejects later': async () => {
    await ticks(2)
    throw Object.assign(new Error('late'), { code: 'E_LATE', problems: 7 })
  },
  'fails once': async (_call, _tool, _context, run) => {
    if (run.attempt === 1) throw new TypeError('first')
    return run.attempt
  },
  'never settles': () => never,
  'ends with its signal': (_call, _tool, _context, run) =>
    new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason))),
  'throws in its abort': (_call, _tool, _context, run) =>
    new Promise((done) => {
      run.signal.addEventListener('abort', () => done('anyway'))
    }),
  'returns a Message': () => message({ type: 'state', state: { out: { m: 1 } } }),
  'returns a branch': () => branch('†state.other', { no: true }) as never,
  'returns what is like a Message': () => ({ type: 'plan', plan: [{ _tool: 'write' }] }),
  'returns a cycle': () => cycle,
  'returns a BigInt': () => ({ n: 1n }),
  'returns a trap': () => trap('a'),
  'returns a Date and a Map': () => ({ at: new Date(0), map: new Map([[1, 2]]) }),
  'returns what toJSON throws': () => ({ toJSON: throwing(new Error('json')) }),
  'returns an odd toJSON': () => ({ toJSON: () => undefined }),
  'returns a proxy': () => new Proxy({ a: 1 }, { ownKeys: throwing(new Error('keys')) }),
  'returns a thenable': () => ({ then: (done: (value: unknown) => void) => done({ then: 1 }) }),
  'returns a thenable of itself': () => {
    const self = { then: (done: (value: unknown) => void) => setTimeout(() => done(1), 1) }
    return self
  },
  'returns an own __proto__': () => JSON.parse('{"__proto__":{"admin":true},"constructor":1}'),
  'returns nothing': () => undefined,
  'returns a symbol': () => Symbol('s'),
  'spends rubbish': (_call, _tool, _context, run) => {
    run.spend({ in: Number.NaN, out: -1 })
    run.spend(undefined as never)
    return 1
  },
  'reports rubbish': (_call, _tool, _context, run) => {
    run.emit(trap('a'))
    run.emit(cycle)
    return 1
  },
  'changes what it gets': (call, tool, context) => {
    for (const given of [call, tool, context]) {
      try {
        Object.assign(given, { hacked: true })
      } catch {
        // Frozen is fine.
      }
    }
    return 1
  },
}

/** What a hook does with what it is given. */
const befores: Readonly<Record<string, unknown>> = {
  nothing: () => undefined,
  'another Call': (): Call => ({ _tool: 'read', v: 2 }),
  'another Tool': (): Call => ({ _tool: 'nope' }),
  rubbish: () => 5,
  'a list': () => [{ _tool: 'read' }],
  'a trap': () => trap('_tool'),
  throws: throwing(new Error('before')),
  'throws nothing': throwing(undefined),
  rejects: async () => {
    await ticks(2)
    throw unfriendly
  },
  never: () => never,
  'a thenable': () => ({ then: (done: (value: unknown) => void) => done(undefined) }),
}

const afters: Readonly<Record<string, unknown>> = {
  nothing: () => undefined,
  itself: (outcome: Outcome) => outcome,
  'another output': (outcome: Outcome) => ({ ...outcome, output: 'changed' }),
  'no status': () => ({}),
  rubbish: () => 'x',
  'wrong parts': (outcome: Outcome) => ({ ...outcome, appended: 5, attempts: 'many', error: 'text' }),
  'a trap': (outcome: Outcome) => Object.assign(trap('status'), { id: outcome.id }),
  'messages that are none': (outcome: Outcome) => ({ ...outcome, appended: [{ type: 'nope' }, null] }),
  throws: throwing(new Error('after')),
  rejects: async () => {
    await ticks(1)
    throw undefined
  },
}

const confirms: Readonly<Record<string, unknown>> = {
  yes: () => true,
  nothing: () => undefined,
  no: () => false,
  reason: () => ({ refuse: 'not today' }),
  'no reason': () => ({ refuse: unfriendly }),
  replace: (call: Call) => ({ replace: { ...call, v: 9 } }),
  'replace by rubbish': () => ({ replace: 5 }),
  'replace by another Tool': () => ({ replace: { _tool: 'write', v: 1 } }),
  rubbish: () => 'yes',
  'a trap': () => trap('refuse'),
  throws: throwing(new Error('confirm')),
  rejects: () => Promise.reject(unfriendly),
  never: () => never,
  pending: () => 'pending',
}

const retries: Readonly<Record<string, unknown>> = {
  twice: { attempts: 2 },
  all: { attempts: 3, allowEffects: true },
  'when throws': { attempts: 3, allowEffects: true, when: throwing(new Error('when')) },
  'odd backoff': { attempts: 3, allowEffects: true, backoff: () => Number.NaN },
  'negative backoff': { attempts: 3, allowEffects: true, backoff: () => -5 },
  'backoff throws': { attempts: 3, allowEffects: true, backoff: throwing(unfriendly) },
  'backoff text': { attempts: 2, allowEffects: true, backoff: () => '1' },
}

/** Contexts; each holds a value at `†state.seed`. */
const seed = { type: 'state', state: { seed: { a: [1] } } } as const
export const contexts: Readonly<Record<string, () => unknown>> = {
  list: () => [seed],
  frozen: () => Object.freeze([Object.freeze({ ...seed })]),
  context: () => createContext([seed]),
  proxy: () => new Proxy([seed], {}),
  getter: () => [
    Object.defineProperty({ type: 'state' }, 'state', { enumerable: true, get: () => seed.state }),
  ],
  'getter that throws': () => [seed, Object.assign(trap('state'), { type: 'state' })],
  'a hole': () => [seed, undefined, seed],
  rubbish: () => [seed, 5, null],
}

export const hooks = {
  before: befores,
  after: afters,
  confirm: confirms,
  retry: retries,
} as const satisfies Partial<Record<keyof RunOptions, Readonly<Record<string, unknown>>>>
