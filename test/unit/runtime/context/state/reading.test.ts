import { describe, expect, test } from 'vitest'
import { createContext } from '../../../../../runtime/context/context.ts'
import type { Message } from '../../../../../runtime/context/message.ts'
import { parseReference } from '../../../../../runtime/context/reference.ts'
import { evaluate, readerOf } from '../../../../../runtime/context/state.ts'
import vectors from '../../../../conformance/vectors/reading.json' with { type: 'json' }

interface ReadingCase {
  readonly rule: string
  readonly name: string
  readonly read: string
  readonly context: Message[]
  readonly want: unknown
  readonly instance?: string
}

const absent = { absent: true }

function state(data: unknown, rest: Partial<Message> = {}): Message {
  return { type: 'data', kind: 'state', data, ...rest } as Message
}

function write(path: string, value: unknown, rest: object = {}): Message {
  const segments = path.split('.').slice(1)
  const data = segments.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), value)
  return state(data, { _path: path, ...rest })
}

const cases: ReadingCase[] = [
  {
    rule: 'OUT-3',
    name: 'the oldest of pushes makes a list of one',
    read: '†state.log',
    context: [
      write('†state.log', 'a', { _outputMethod: 'push' }),
      write('†state.log', ['b'], { _outputMethod: 'push' }),
    ],
    want: ['a', ['b']],
  },
  {
    rule: 'OUT-3a',
    name: 'concat, merge and assign onto another type act as a first write',
    read: '†state',
    context: [
      state({ a: 1, b: 'x', c: [1] }),
      write('†state.a', [2], { _outputMethod: 'concat' }),
      write('†state.b', { y: 1 }, { _outputMethod: 'merge' }),
      write('†state.c', { z: 1 }, { _outputMethod: 'assign' }),
    ],
    want: { a: [2], b: { y: 1 }, c: { z: 1 } },
  },
  {
    rule: 'OUT-3a',
    name: '_path alone counts, whatever else the data holds',
    read: '†state',
    context: [state({ a: 1, b: 2 }, { _path: '†state.a' } as object)],
    want: { a: 1 },
  },
  {
    rule: 'OUT-3a',
    name: 'without _path, the alternative that the data holds',
    read: '†state',
    context: [
      state({ ok: { a: 1 }, bad: { old: 1 } }),
      state({ bad: { b: 2 } }, { _call: { _tool: 'x', _outputPath: '†state.ok || †state.bad' } } as object),
    ],
    want: { ok: { a: 1 }, bad: { b: 2 } },
  },
  {
    rule: 'OUT-3a',
    name: 'a Call without _outputPath leaves a patch',
    read: '†result',
    context: [
      { type: 'data', kind: 'result', data: { a: 1 }, _call: { _tool: 'x' } },
      { type: 'data', kind: 'result', data: { b: 2 }, _call: { _tool: 'y' } },
    ],
    want: { a: 1, b: 2 },
  },
  {
    rule: 'OUT-4',
    name: 'a part of a list is written in place',
    read: '†state.users',
    context: [
      state({ users: [{ n: 'a' }, { n: 'b' }] }),
      write('†state.users.1.n', 'c'),
      write('†state.users.2', 'd'),
    ],
    want: [{ n: 'a' }, { n: 'c' }, 'd'],
  },
  {
    rule: 'OUT-4',
    name: 'a part that a list cannot hold makes it an object, and loses nothing',
    read: '†state.users',
    context: [state({ users: ['a'] }), write('†state.users.9', 'j'), write('†state.users.length', 2)],
    want: { 0: 'a', 9: 'j', length: 2 },
  },
  {
    rule: 'OUT-4',
    name: 'an index on nothing makes an object',
    read: '†state.users',
    context: [write('†state.users.0.name', 'a')],
    want: { 0: { name: 'a' } },
  },
  {
    rule: 'OUT-4',
    name: 'part and parent agree when a list is written by index and pushed to',
    read: '†state.users.1',
    context: [
      state({ users: ['p', 'q'] }),
      write('†state.users.1', 'r'),
      write('†state.users', 'v', { _outputMethod: 'push' }),
    ],
    want: 'r',
  },
  { rule: 'OUT-2', name: 'a whole kind', read: '†state', context: [state({ a: 1 }), state(5)], want: 5 },
  {
    rule: 'OUT-8',
    name: 'a list has items and no length',
    read: '†state.l.length',
    context: [state({ l: [1] })],
    want: absent,
  },
  {
    rule: 'OUT-8',
    name: 'text has no items',
    read: '†state.t.0',
    context: [state({ t: 'x' })],
    want: absent,
  },
  {
    rule: 'OUT-8',
    name: 'no leading zeros',
    read: '†state.l.00',
    context: [state({ l: [1] })],
    want: absent,
  },
  {
    rule: 'REF-2',
    name: 'null is present',
    read: '†state.a || †state.b',
    context: [state({ a: null, b: 1 })],
    want: null,
  },
  {
    rule: 'REF-2',
    name: 'a failed conjunction goes on',
    read: '†x && †state.b || †state.b',
    context: [state({ b: 1 })],
    want: 1,
  },
  {
    rule: 'Words',
    name: 'short forms',
    read: '†input.a && †state.b',
    context: [
      { type: 'input', input: { a: 1 } },
      { type: 'state', state: { b: 2 } },
    ],
    want: 2,
  },
  {
    rule: 'Words',
    name: 'a Message without data is no data',
    read: '†text',
    context: [{ type: 'text', text: 'x' }],
    want: absent,
  },
  {
    rule: 'INST-1',
    name: 'own before global, even when the global one is newer',
    read: '†state',
    instance: 'i',
    context: [
      state({ a: 1, b: 1 }),
      state({ b: 2 }, { _instance: 'i' }),
      state({ b: 3, c: 3 }),
      state({ c: 9 }, { _instance: 'j' }),
    ],
    want: { a: 1, b: 2, c: 3 },
  },
  {
    rule: 'INST-1',
    name: 'own writes collect on top of what is global',
    read: '†state.log',
    instance: 'i',
    context: [
      write('†state.log', 'b', { _outputMethod: 'push', _instance: 'i' }),
      write('†state.log', ['a']),
    ],
    want: ['a', 'b'],
  },
  {
    rule: 'INST-2',
    name: 'no instance sees the global alone',
    read: '†state.a',
    context: [state({ a: 1 }, { _instance: 'i' })],
    want: absent,
  },
  {
    rule: 'OUT-8',
    name: 'an instance named like a member of Object',
    read: '†state.a',
    instance: '__proto__',
    context: [state({ a: 1 }, { _instance: '__proto__' })],
    want: 1,
  },
]

const readings: ReadingCase[] = [...(vectors as ReadingCase[]), ...cases]
const titled = readings.map((each) => [`${each.rule} ${each.name}: ${each.read}`, each] as const)

describe.each([
  { name: 'an array', open: (context: Message[]) => readerOf(context) },
  { name: 'a Context', open: (context: Message[]) => readerOf(createContext(context)) },
])('reading $name', ({ open }) => {
  test.each(titled)('%s', (_title, { read, context, want, instance }) => {
    const value = () => {
      const expression = parseReference(read)
      return expression ? evaluate(expression, open(context), instance) : new Error('no Reference')
    }
    if (isError(want)) expect(value).toThrow(expect.objectContaining(want.error))
    else expect(value()).toEqual(isAbsent(want) ? undefined : want)
  })
})

test.each(titled)('context.read agrees: %s', (_title, { read, context, want, instance }) => {
  const value = () => createContext(context).read(read, instance === undefined ? {} : { instance })
  if (isError(want)) expect(value).toThrow(expect.objectContaining(want.error))
  else expect(value()).toEqual(isAbsent(want) ? undefined : want)
})

function isAbsent(want: unknown): boolean {
  return typeof want === 'object' && want !== null && 'absent' in want
}

function isError(want: unknown): want is { error: { code: string } } {
  return typeof want === 'object' && want !== null && 'error' in want
}

test('OUT-8 patches with a __proto__ of their own pollute nothing', () => {
  const hostile = JSON.parse('{"type":"state","state":{"a":{"__proto__":{"polluted":1}}}}') as Message
  const messages = [state({ a: { b: 1 } }), hostile, hostile]
  for (const reader of [readerOf(messages), readerOf(createContext(messages))]) {
    const value = reader.read({ kind: 'state', segments: ['a'] })
    expect(JSON.stringify(value)).toBe('{"b":1}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  }
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('OUT-8 in an array, which nobody has checked, a _path that nobody may write counts as none', () => {
  const messages = [state({ a: 1 }, { _path: '†state.__proto__.a' } as object)]
  expect(readerOf(messages).read({ kind: 'state', segments: ['a'] })).toBe(1)
})
