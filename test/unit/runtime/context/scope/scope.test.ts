import { describe, expect, test, vi } from 'vitest'
import type { Message } from '../../../../../runtime/context/message.ts'
import { scopedContext } from '../../../../../runtime/context/scope.ts'
import vectors from '../../../../conformance/vectors/scopes.json' with { type: 'json' }

function state(data: unknown, rest: object = {}): Message {
  return { type: 'data', kind: 'state', data, ...rest }
}

interface ScopeVector {
  readonly rule: string
  readonly name: string
  readonly tools: Record<string, { properties: { _scopes?: { const?: string[] } } }>
  readonly context: Message[]
  readonly call: { _tool: string; _scopes?: string[]; _instance?: string }
  readonly want: { seen?: { context?: Message[] } }
}

describe('vectors', () => {
  test.each((vectors as unknown as ScopeVector[]).filter(({ want }) => want.seen?.context))(
    '$rule $name',
    ({ tools, context, call, want }) => {
      const scopes = tools[call._tool]?.properties._scopes?.const ?? call._scopes
      expect(scopedContext(context, scopes, call._instance)).toEqual(want.seen?.context)
    },
  )
})

const cases: { title: string; scopes: string[]; given: Message[]; want: Message[]; instance?: string }[] = [
  {
    title: 'SCOPE-1 several kinds, in the order of the context',
    scopes: ['state', 'input'],
    given: [
      { type: 'input', input: 1 },
      state(2),
      { type: 'data', kind: 'audit', data: 3 },
      { type: 'input', input: 4 },
    ],
    want: [{ type: 'input', input: 1 }, state(2), { type: 'input', input: 4 }],
  },
  {
    title: 'SCOPE-1 a Message without data is of the kind that its type names',
    scopes: ['text'],
    given: [
      { type: 'text', text: 'x' },
      { type: 'tool', tool: {} },
    ],
    want: [{ type: 'text', text: 'x' }],
  },
  {
    title: 'SCOPE-1 a kind is allowed by its Reference, too, and wins over its parts',
    scopes: ['†state.a', '†state'],
    given: [state({ a: 1, b: 2 }, { _call: { _tool: 'x' } })],
    want: [state({ a: 1, b: 2 }, { _call: { _tool: 'x' } })],
  },
  {
    title: 'SCOPE-1 parts of one Message stay together',
    scopes: ['†state.a.x', '†state.b'],
    given: [state({ a: { x: 1, y: 2 }, b: 3, c: 4 })],
    want: [state({ a: { x: 1 }, b: 3 })],
  },
  {
    title: 'SCOPE-1 nothing of a Message without such a part',
    scopes: ['†state.a'],
    given: [state({ b: 1 }), { type: 'text', text: '†state.a' }],
    want: [],
  },
  {
    title: 'SCOPE-3 parts carry no _call, and no description of the whole; they keep how they are read',
    scopes: ['†state.log'],
    given: [
      state(
        { log: 1, secret: 2 },
        {
          _call: { _tool: 'x', secret: 's', _outputPath: '†state.log' },
          _outputMethod: 'push',
          _date: 'd',
          schema: { const: 's' },
          description: 's',
          _instance: 'i',
        },
      ),
    ],
    instance: 'i',
    want: [state({ log: 1 }, { _path: '†state.log', _outputMethod: 'push', _date: 'd', _instance: 'i' })],
  },
  {
    title: 'SCOPE-1 a set of the parent without the part hides the older one, and shows nothing',
    scopes: ['†state.user.name'],
    given: [state({ user: { name: 'A' } }), state({ user: { id: 7 } }, { _path: '†state.user' })],
    want: [state({ user: { name: 'A' } }), state({ user: {} }, { _path: '†state.user' })],
  },
  {
    title: 'SCOPE-1 what is no object hides as null',
    scopes: ['†state.user.name'],
    given: [state({ user: 'secret' })],
    want: [state({ user: null })],
  },
  {
    title: 'SCOPE-1 an item of a list, the others blank',
    scopes: ['†state.users.1.name'],
    given: [state({ users: [{ name: 'a' }, { name: 'b', id: 2 }, { name: 'c' }] })],
    want: [state({ users: [null, { name: 'b' }] })],
  },
  {
    title: 'SCOPE-1 a push that makes the item shows as the list that it makes',
    scopes: ['†state.users.1'],
    given: [state({ users: ['a'] }), state({ users: 'b' }, { _path: '†state.users', _outputMethod: 'push' })],
    want: [state({ users: [] }), state({ users: [null, 'b'] }, { _path: '†state.users' })],
  },
  {
    title: 'SCOPE-1 an assign that takes a part away shows as its result',
    scopes: ['†state.cfg.a.x'],
    given: [
      state({ cfg: { a: { x: 1 } } }),
      state({ cfg: { a: { y: 2 } } }, { _path: '†state.cfg', _outputMethod: 'assign' }),
    ],
    want: [state({ cfg: { a: { x: 1 } } }), state({ cfg: { a: {} } }, { _path: '†state.cfg' })],
  },
  {
    title: 'SCOPE-1 a push that does not reach the item shows nothing, not even how many there are',
    scopes: ['†state.users.2'],
    given: [
      state({ users: 'a' }, { _path: '†state.users', _outputMethod: 'push' }),
      state({ users: ['b', 'c'] }, { _path: '†state.users', _outputMethod: 'concat' }),
      state({ users: 'd' }, { _path: '†state.users', _outputMethod: 'push' }),
    ],
    want: [state({ users: [null, null, 'c'] }, { _path: '†state.users' })],
  },
  {
    title: 'SCOPE-1 a list whose item has no such part shows an empty item',
    scopes: ['†state.users.0.name'],
    given: [state({ users: [{ id: 1 }] }), state({ users: [] }), state({ users: null })],
    want: [state({ users: [{}] }), state({ users: [] }), state({ users: null })],
  },
  ...['patch', 'merge', 'merge of the list'].map((how) => {
    const list = { users: { 2: 'z' } }
    const path = how === 'merge' ? '†state' : '†state.users'
    return {
      title: `SCOPE-1 an object that replaces a list takes its items away: ${how}`,
      scopes: ['†state.users.1'],
      given: [
        state({ users: 'x' }, { _path: '†state.users', _outputMethod: 'push' }),
        state({ users: { 1: 'v' } }, { _path: '†state.users.1' }),
        state(list, how === 'patch' ? {} : { _path: path, _outputMethod: 'merge' }),
      ],
      want: [
        state({ users: { 1: 'v' } }, { _path: '†state.users.1' }),
        state({ users: {} }, { _path: how === 'merge of the list' ? path : '†state' }),
      ],
    }
  }),
  {
    title: 'SCOPE-1 a merge that keeps the part shows nothing',
    scopes: ['†state.users.1'],
    given: [
      state({ users: ['a', 'b'] }, { _path: '†state.users' }),
      state({ other: 1 }, { _path: '†state', _outputMethod: 'merge' }),
      state({ other: { 1: 2 } }),
    ],
    want: [state({ users: [null, 'b'] }, { _path: '†state.users' })],
  },
  {
    title: 'SCOPE-1 a part shows what was known when it was written',
    scopes: ['†state.users.1', '†state.users.2'],
    given: [
      state({ users: [0, { x: 1 }] }),
      state({ users: { 1: { y: 2 } } }, { _path: '†state.users.1' }),
      state({ users: { 1: { z: 3 } } }, { _path: '†state.users.1.z' }),
      state({ users: 'c' }, { _path: '†state.users', _outputMethod: 'push' }),
      state({ users: { 1: { z: 4 } } }, { _path: '†state.users.1.z' }),
    ],
    want: [
      state({ users: [null, { x: 1 }] }),
      state({ users: { 1: { y: 2 } } }, { _path: '†state.users.1' }),
      state({ users: { 1: { z: 3 } } }, { _path: '†state.users.1.z' }),
      state({ users: [null, { y: 2, z: 3 }, 'c'] }, { _path: '†state.users' }),
      state({ users: { 1: { z: 4 } } }, { _path: '†state.users.1.z' }),
    ],
  },
  {
    title: 'INST-2 nothing of another instance, whatever the Message',
    scopes: ['state', 'text'],
    instance: 'i',
    given: [
      state(1, { _instance: 'i' }),
      state(2, { _instance: 'j' }),
      { type: 'text', text: 'j', _instance: 'j' },
      state(3),
    ],
    want: [state(1, { _instance: 'i' }), state(3)],
  },
  {
    title: 'INST-2 a Call without an instance sees what is global',
    scopes: ['state'],
    given: [state(1, { _instance: 'i' }), state(3)],
    want: [state(3)],
  },
]

describe('scopedContext', () => {
  test.each(cases)('$title', ({ scopes, given, want, instance }) => {
    expect(scopedContext(given, scopes, instance)).toStrictEqual(want)
  })

  test('SCOPE-1 without scopes it is one shared empty list', () => {
    const none = scopedContext([state(1)], undefined)
    expect(none).toEqual([])
    expect(scopedContext([state(2)], [])).toBe(none)
    expect(Object.isFrozen(none)).toBe(true)
  })

  test.each(['', 'state.deploy', '† x', '†state.__proto__', 'constructor', '†a || b'])(
    'OUT-8 %j is no scope',
    (scope) => {
      expect(() => scopedContext([], [scope])).toThrow(expect.objectContaining({ code: 'invalid_path' }))
    },
  )

  test('the error of a forgotten † says how to write it', () => {
    expect(() => scopedContext([], ['audit.last'])).toThrow(/†audit\.last/)
  })

  test.each([['state'], ['†state.a']])(
    'ACT-8 under %j an Activity gets copies that it may change',
    (scope) => {
      const messages = [state({ a: { b: 1 } })]
      const seen = scopedContext(messages, [scope]) as unknown as { data: { a: { b: number } } }[]
      const [first] = seen
      if (first) first.data.a.b = 2
      seen.pop()
      expect(messages).toEqual([state({ a: { b: 1 } })])
    },
  )
})

test.each<[string, (index: number) => Message]>([
  [
    'merges',
    (index) => state({ all: { [`k${index}`]: 1 } }, { _path: '†state.all', _outputMethod: 'merge' }),
  ],
  ['patches', (index) => ({ type: 'state', state: { all: { [`k${index}`]: 1 } } })],
  ['parts', (index) => state({ all: { [`k${index}`]: 1 } }, { _path: `†state.all.k${index}` })],
])('SCOPE-1 what a scope has is not compared after each write to it: %s', (_what, message) => {
  const messages = Array.from({ length: 500 }, (_, index) => message(index))
  const keys = Object.keys
  let count = 0
  const reading = vi.spyOn(Object, 'keys').mockImplementation((value) => {
    const found = keys(value)
    count += found.length
    return found
  })
  const scoped = scopedContext(messages, ['†state.all'], undefined)
  reading.mockRestore()
  expect(scoped).toHaveLength(messages.length)
  // A few for each Message; all that was written before would be a quarter of a million.
  expect(count).toBeLessThan(20 * messages.length)
})

describe('SCOPE-1 many scopes over many Messages cost little more than few', () => {
  const count = 2_000
  const scopesLike: Record<string, (index: number) => string> = {
    'a scope that a model repeats': () => '†state.k1',
    'parts of a kind': (index) => `†state.k${index}`,
    'parts of a part': (index) => `†state.all.k${index}`,
    'parts of many kinds': (index) => `†kind${index}.k1`,
  }
  const messagesLike: Record<string, (index: number) => Message> = {
    parts: (index) => state({ [`k${index}`]: index }, { _path: `†state.k${index}` }),
    patches: (index) => ({ type: 'state', state: { [`k${index}`]: index, all: { [`k${index}`]: index } } }),
    merges: (index) => state({ all: { [`k${index}`]: 1 } }, { _path: '†state.all', _outputMethod: 'merge' }),
    wholes: (index) => state({ all: { [`k${index}`]: 1 } }, { _path: '†state.all' }),
    'other data': (index) => ({ type: 'state', state: { [`other${index}`]: index } }),
  }
  const cases = Object.entries(scopesLike).flatMap(([scopes, scope]) =>
    Object.entries(messagesLike).map(([messages, message]) => ({ scopes, scope, messages, message })),
  )

  /** Milliseconds of CPU for so many scopes over all Messages. */
  function costOf(length: number, scope: (index: number) => string, messages: readonly Message[]): number {
    const scopes = Array.from({ length }, (_, index) => scope(index))
    const before = process.cpuUsage()
    scopedContext(messages, scopes)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  test.each(cases)('$scopes, $messages', ({ scope, message }) => {
    const messages = Array.from({ length: count }, (_, index) => message(index))
    const few = costOf(10, scope, messages)
    // Each scope looked at for each Message would be four million steps: about a second.
    expect(costOf(count, scope, messages)).toBeLessThan(10 * few + 250)
  })
})
